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

export interface CombinationRule {
  toleranceBps: number;
  /** How many sources have spoken of the asset lately, if more than speak now. */
  voters?: number;
}

/** What a source said so much earlier than another is not what it would say now. */
const LATE_MS = 300_000;

/**
 * One price from what fresh sources say of an asset, each at most once. What was said minutes before the newest is left
 * out. Those farther than `toleranceBps` from the median (of an even number, from the lower of the middle two) are
 * refused, and the price is the median of the rest. More than half of all who speak, or spoke lately, must remain: of
 * two sources that disagree neither counts, of three one may be wrong, and one of three that alone answers is not
 * believed.
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
  const newest = Math.max(...quotes.map(({ saidAt }) => saidAt.getTime()));
  return quotes.filter(({ saidAt }) => newest - saidAt.getTime() <= LATE_MS);
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

function isWithin(toleranceBps: number, middle: Decimal, usd: Decimal): boolean {
  const [low, high] = compareDecimals(usd, middle) < 0 ? [usd, middle] : [middle, usd];
  const distance = mulDecimals(subDecimals(high, low), WHOLE_BPS);
  return compareDecimals(distance, mulDecimals(middle, decimal(BigInt(toleranceBps)))) <= 0;
}
