import {
  addDecimals,
  compareDecimals,
  decimal,
  divDecimals,
  isZero,
  mulDecimals,
  roundDecimal,
  subDecimals,
  type Decimal,
} from '@bascule/amounts';
import type { SourceQuote } from './price-source.js';

/** Enough for the cheapest token in the dearest currency. */
const DECIMALS = 18;
const WHOLE_BPS = '10000';

export interface CombinedPrice {
  /** Null when the sources contradict each other: nobody can say then which of them is right. */
  usd: Decimal | null;
  used: readonly SourceQuote[];
  /** Too far from what the others say. */
  refused: readonly SourceQuote[];
}

/**
 * One price from what fresh sources say of an asset, each at most once: those farther than `toleranceBps` from the
 * median of all are refused, and the price is the median of the rest. More than half must remain: of two sources that
 * disagree neither counts, of three one may be wrong.
 */
export function combinedPrice(
  quotes: readonly SourceQuote[],
  { toleranceBps }: { toleranceBps: number },
): CombinedPrice {
  const middle = medianOf(quotes);
  if (!middle) return { usd: null, used: [], refused: [] };
  const used = quotes.filter(({ usd }) => isWithin(toleranceBps, middle, usd));
  const refused = quotes.filter((quote) => !used.includes(quote));
  const usd = 2 * used.length > quotes.length ? medianOf(used) : null;
  return { usd: usd && !isZero(usd) ? usd : null, used, refused };
}

function medianOf(quotes: readonly SourceQuote[]): Decimal | null {
  const sorted = quotes.map(({ usd }) => usd).sort(compareDecimals);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (!upper || !lower) return null;
  if (upper === lower) return roundDecimal(upper, DECIMALS, 'down');
  return divDecimals(addDecimals(lower, upper), '2', DECIMALS, 'down');
}

function isWithin(toleranceBps: number, middle: Decimal, usd: Decimal): boolean {
  const [low, high] = compareDecimals(usd, middle) < 0 ? [usd, middle] : [middle, usd];
  const distance = mulDecimals(subDecimals(high, low), WHOLE_BPS);
  return compareDecimals(distance, mulDecimals(middle, decimal(BigInt(toleranceBps)))) <= 0;
}
