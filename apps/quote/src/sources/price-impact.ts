import { compareDecimals, formatAmount, mulDecimals, valueOf } from '@bascule/amounts';
import type { AmountIssue } from '@bascule/contracts';
import type { Amount } from '../routes/fee-breakdown.js';
import type { PriceBook } from '../routes/price-book.js';

const ALL_BPS = 10_000;
const shareOf = (bps: number): string => formatAmount(BigInt(bps), 4);

/**
 * The issue of a conversion whose output is worth more than `maxBps` less, or more, than what enters the venue; or null.
 * Less is a pool too thin for the amount, more is a price that cannot be right.
 * @throws MissingPriceError
 */
export function priceImpactIssue(o: {
  /** What the customer gives. */
  input: Amount;
  /** What is left of it for the venue. */
  converted: Amount;
  output: Amount;
  venue: string;
  maxBps: number;
  prices: PriceBook;
}): AmountIssue | null {
  const { input, converted, output, venue, maxBps } = o;
  const worth = ({ asset, decimals, units }: Amount) =>
    valueOf(units, decimals, o.prices.priceOf(asset));
  const [given, received] = [worth(converted), worth(output)];
  const isLow =
    compareDecimals(received, mulDecimals(given, shareOf(Math.max(ALL_BPS - maxBps, 0)))) < 0;
  const isHigh = compareDecimals(received, mulDecimals(given, shareOf(ALL_BPS + maxBps))) > 0;
  if (!isLow && !isHigh) return null;
  const bound = formatAmount(BigInt(maxBps), 2);
  return {
    kind: 'amount',
    asset: input.asset,
    given: formatAmount(input.units, input.decimals),
    limits: { min: null, max: null },
    source: venue,
    message: `${venue} gives over ${bound} % ${isLow ? 'less' : 'more'} than the amount is worth at current prices.`,
    reason: isLow ? 'UNEXPECTEDLY_LOW' : 'UNEXPECTEDLY_HIGH',
  };
}
