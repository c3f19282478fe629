import { compareDecimals, formatAmount, mulDecimals, valueOf } from '@bascule/amounts';
import type { MessageIssue } from '@bascule/contracts';
import type { Amount } from '../fees/fee-breakdown.js';
import type { PriceBook } from '../prices/price-book.js';

/** A provider cannot sell for much less than the market asks: a better rate than this is a mistake or a lie. */
const BEST_RATE = '1.05';

/**
 * The issue of a delivery that is worth more than what is paid for it, or null.
 * @throws MissingPriceError
 */
export function tooGoodToBeTrue(
  provider: string,
  input: Amount,
  delivery: Amount,
  prices: PriceBook,
): MessageIssue | null {
  const paid = valueOf(input.units, input.decimals, prices.priceOf(input.asset));
  const worth = valueOf(delivery.units, delivery.decimals, prices.priceOf(delivery.asset));
  if (compareDecimals(worth, mulDecimals(paid, BEST_RATE)) <= 0) return null;
  const delivered = formatAmount(delivery.units, delivery.decimals);
  return {
    kind: 'provider',
    message: `${provider}: quoted ${delivered} ${delivery.asset}, which is worth more than is paid.`,
  };
}
