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
  /** Null when the sources disagree. */
  usd: Decimal | null;
  used: readonly SourceQuote[];
  /** Quotes outside the tolerance. */
  refused: readonly SourceQuote[];
}

export interface CombinationRule {
  toleranceBps: number;
  /** Sources that quoted the asset recently, if more than now. */
  voters?: number;
}

/** Maximum age of a quote relative to the newest. */
const LATE_MS = 300_000;

/**
 * Combines fresh quotes of an asset, one per source, into a price.
 * - Quotes 5 minutes older than the newest are left out.
 * - Quotes farther than `toleranceBps` from the median (of an even number, the lower middle one) are refused.
 * - The price is the median of the rest, if more than half of all current and recent sources remain: two that disagree
 *   give none, of three one may be wrong, and one alone of three gives none.
 */
export function combinedPrice(
  quotes: readonly SourceQuote[],
  { toleranceBps, voters = 0 }: CombinationRule,
): CombinedPrice {
  const timely = withoutLate(quotes);
  const middle = middleOf(timely);
  if (!middle) return { usd: null, used: [], refused: [] };
  const used = timely.filter(({ usd }) => isWithin(toleranceBps, middle.lower, usd));
  const refused = timely.filter((quote) => !used.includes(quote));
  const late = quotes.length - timely.length;
  const isMajority = 2 * used.length > Math.max(timely.length, voters - late);
  const usd = isMajority ? medianOf(used) : null;
  return { usd: usd && !isZero(usd) ? usd : null, used, refused };
}

function withoutLate(quotes: readonly SourceQuote[]): SourceQuote[] {
  const newest = Math.max(...quotes.map(({ confirmedAt }) => confirmedAt.getTime()));
  return quotes.filter(({ confirmedAt }) => newest - confirmedAt.getTime() <= LATE_MS);
}

function middleOf(quotes: readonly SourceQuote[]): { lower: Decimal; upper: Decimal } | null {
  const sorted = quotes.map(({ usd }) => usd).sort(compareDecimals);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper && lower ? { lower, upper } : null;
}

function medianOf(quotes: readonly SourceQuote[]): Decimal | null {
  const middle = middleOf(quotes);
  if (!middle) return null;
  const { lower, upper } = middle;
  if (upper === lower) return roundDecimal(upper, DECIMALS, 'down');
  return divDecimals(addDecimals(lower, upper), '2', DECIMALS, 'down');
}

/** Whether a price is at most `toleranceBps` from the middle one. */
export function isWithin(toleranceBps: number, middle: Decimal, usd: Decimal): boolean {
  const [low, high] = compareDecimals(usd, middle) < 0 ? [usd, middle] : [middle, usd];
  const distance = mulDecimals(subDecimals(high, low), WHOLE_BPS);
  return compareDecimals(distance, mulDecimals(middle, decimal(BigInt(toleranceBps)))) <= 0;
}
