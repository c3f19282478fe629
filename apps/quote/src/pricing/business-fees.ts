import { equalValue, type Amount } from '../routes/amount.js';
import type { PriceBook } from '../routes/price-book.js';
import type { TokenAmount } from '../routes/quoted-route.js';
import {
  sharedLeg,
  splitShare,
  type BusinessFee,
  type RevenueShare,
  type ShareReceiver,
} from '../routes/revenue-share.js';
import { RouteFailure } from '../routes/route-failure.js';

/**
 * Receivers of the revenue share by leg: all of them on the first leg whose chain has any.
 * @throws RouteFailure when no chain of the route has receivers
 */
export function shareReceivers(
  legs: readonly { chain: string }[],
  share: RevenueShare | null,
): (readonly ShareReceiver[])[] {
  if (share === null) return [];
  const paying = sharedLeg(legs, share);
  const chains = legs.map(({ chain }) => chain);
  if (paying === -1) {
    const message = `The revenue share has no receivers on ${chains.join(' or ')}.`;
    throw new RouteFailure(chains, [{ kind: 'org_configuration', message }]);
  }
  return chains.map((chain, index) => (index === paying ? (share.get(chain) ?? []) : []));
}

/**
 * Shares of the payment's input value, in the leg's input token at the quote's prices.
 * @throws MissingPriceError
 */
export function businessFees(
  receivers: readonly ShareReceiver[],
  token: TokenAmount,
  { input, prices }: { input: Amount; prices: PriceBook },
): BusinessFee[] {
  if (receivers.length === 0) return [];
  return splitShare(equalValue(input, token, prices, 'down'), receivers);
}
