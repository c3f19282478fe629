import {
  compareDecimals,
  formatAmount,
  mulDecimals,
  parseDecimal,
  valueOf,
  type Decimal,
} from '@bascule/amounts';
import type { MessageIssue } from '@bascule/contracts';
import type { Amount } from '../routes/fee-breakdown.js';
import type { PriceBook } from '../routes/price-book.js';

/** An onramp cannot sell for much less than the market asks: a better rate than this is a mistake or a lie. */
export const BEST_ONRAMP_RATE = parseDecimal('1.05');
/** A bridge gives less than it takes; observed prices of what it takes and gives may differ by this. */
export const BEST_BRIDGE_RATE = parseDecimal('1.01');

/**
 * The issue of a delivery that is worth more than what is paid for it, or null.
 * @throws MissingPriceError
 */
export function tooGoodToBeTrue(o: {
  by: string;
  paid: Amount;
  delivered: Amount;
  bestRate: Decimal;
  prices: PriceBook;
}): MessageIssue | null {
  const { by, paid, delivered, bestRate } = o;
  const worth = ({ asset, decimals, units }: Amount) =>
    valueOf(units, decimals, o.prices.priceOf(asset));
  if (compareDecimals(worth(delivered), mulDecimals(worth(paid), bestRate)) <= 0) return null;
  const amount = formatAmount(delivered.units, delivered.decimals);
  return {
    kind: 'provider',
    message: `${by}: quoted ${amount} ${delivered.asset}, which is worth more than is paid.`,
  };
}
