import { formatAmount } from '@bascule/amounts';
import { parseTokenIdentifier, type Quote } from '@bascule/contracts';
import { routeSteps } from '../pricing/route-steps.js';
import {
  depositOf,
  externalLatency,
  outputOf,
  type PricedRoute,
  type QuotedLeg,
  type QuotedRoute,
} from '../routes/quoted-route.js';

/** Blocks between submission of a transaction and its inclusion. */
const BLOCKS_TO_MINE = 2;

export interface ChainTiming {
  confirmations: number;
  blockTimeMs: number;
}

const seconds = (blocks: number, { blockTimeMs }: ChainTiming): number =>
  (blocks * blockTimeMs) / 1_000;

/** Seconds from the customer's payment to the payout. */
export function expectedLatency(
  route: QuotedRoute,
  timingOf: (chain: string) => ChainTiming,
): number {
  const confirmed = (chain: string) =>
    seconds(BLOCKS_TO_MINE + timingOf(chain).confirmations, timingOf(chain));
  /** A bridge's own latency starts at inclusion and ends when its delivery is final. */
  const onChain = ({ chain, bridge }: QuotedLeg) =>
    bridge ? seconds(BLOCKS_TO_MINE, timingOf(chain)) : confirmed(chain);
  const deposited = confirmed(parseTokenIdentifier(depositOf(route).asset).chain);
  const executed = route.legs.reduce((sum, leg) => sum + onChain(leg), 0);
  return Math.ceil(externalLatency(route) + deposited + executed);
}

export function toQuote(
  quoted: PricedRoute,
  o: { paymentId: string; timingOf: (chain: string) => ChainTiming },
): Quote {
  const { fees, onramp } = quoted;
  const output = outputOf(quoted);
  return {
    payment_id: o.paymentId,
    output_amount: { asset: output.asset, amount: formatAmount(output.units, output.decimals) },
    fees,
    route: routeSteps(quoted),
    ...(onramp && { onramp: onramp.provider, onramp_method: onramp.method }),
    latency_seconds: expectedLatency(quoted, o.timingOf),
  };
}

/** Assets that appear in a quote. */
export const assetsOf = (quote: Quote): string[] => [
  quote.output_amount.asset,
  ...quote.route.flatMap(({ net_effect }) =>
    [...net_effect.consume, ...net_effect.produce].map(({ resource }) => resource.asset),
  ),
];
