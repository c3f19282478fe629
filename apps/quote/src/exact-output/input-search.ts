import { ALL_BPS, divide, maxAmount, minAmount } from '@bascule/amounts';

/** Maximum number of quotes of one search. */
export const MAX_ROUNDS = 4;
/** Distance from the least input that is accepted. */
interface Tolerance {
  bps: bigint;
  units: bigint;
}

/** Ends the search. */
const AIMED: Tolerance = { bps: 3n, units: 0n };
/** Good enough after the last round: 0.1 %, or one unit, since an onramp rounds its fees to units. */
const ACCEPTED: Tolerance = { bps: 10n, units: 1n };
const WHOLE = BigInt(ALL_BPS);

/** Distance above the target that a round aims at, so that rounding and moving prices cost no other round. */
const MARGIN_BPS = 1n;
/** Distance of the last round: none follows it, so it aims as far as the accepted distance safely allows. */
const LAST_MARGIN_BPS = 4n;

/** Quote of an input: its output. */
export interface Attempt<T> {
  output: bigint;
  quote: T;
}

/** Inclusive bounds of the input. */
export interface InputBounds {
  min: bigint;
  max: bigint;
}

export type SearchResult<T> =
  | { kind: 'found'; quote: T }
  /** The needed input lies outside the bounds; `input` estimates it. */
  | { kind: 'outside'; input: bigint }
  /** The rounds were used up before the least input was found. */
  | { kind: 'none' };

interface Point {
  input: bigint;
  output: bigint;
}

/** Input that reaches the target. */
interface Found<T> extends Point {
  quote: T;
}

interface Bracket<T> {
  /** Greatest input known not to reach the target. */
  low: Point;
  /** The one before, for the slope. */
  lower: Point;
  /** Least input known to reach the target. */
  high: Found<T> | null;
}

const ORIGIN: Point = { input: 0n, output: 0n };

/** Input at which the line through two points reaches the target; null for a line that does not rise. */
function crossing(from: Point, to: Point, target: bigint): bigint | null {
  const rise = to.output - from.output;
  if (rise <= 0n) return null;
  return from.input + divide((target - from.output) * (to.input - from.input), rise, 'up');
}

/**
 * Next input to try; it assumes a line through the two nearest points. It aims a little above the target, except for
 * outputs of few units: one unit more would cost too much.
 */
function nextInput<T>({ low, lower, high }: Bracket<T>, target: bigint, marginBps: bigint): bigint {
  const margin = (target / WHOLE) * marginBps;
  const aim = margin === 0n ? target : target + margin + 1n;
  if (high === null) {
    return crossing(lower, low, aim) ?? low.input * 2n;
  }
  const between = crossing(low, high, aim) ?? high.input;
  // Few units remain, since `high` would be near enough otherwise.
  return between < high.input ? between : high.input - 1n;
}

/** Whether an input is near the least one, which lies above `low`; the line between both estimates it. */
function isNearLeast(low: Point, high: Point, target: bigint, { bps, units }: Tolerance): boolean {
  const excess = high.input - (crossing(low, high, target) ?? low.input);
  const gap = high.input - low.input;
  return (
    gap * WHOLE <= high.input * ACCEPTED.bps ||
    excess <= units ||
    excess * WHOLE <= high.input * bps
  );
}

const clamped = (input: bigint, { min, max }: InputBounds): bigint =>
  minAmount(maxAmount(input, min), max);

/**
 * Finds an input whose quote reaches `target`: within 0.1 % or one unit of the least one, or with at most one unit of
 * output more where a unit is worth more than that.
 */
export async function searchInput<T>(o: {
  /** First input to try. */
  first: bigint;
  target: bigint;
  bounds: InputBounds;
  /** Quotes an input; null when it is too low for any output. */
  attempt: (input: bigint) => Promise<Attempt<T> | null>;
}): Promise<SearchResult<T>> {
  const { target, bounds } = o;
  let bracket: Bracket<T> = { low: ORIGIN, lower: ORIGIN, high: null };
  let wanted = o.first;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const input = clamped(wanted, bounds);
    const attempt = await o.attempt(input);
    if (attempt !== null && attempt.output >= target) {
      bracket = { ...bracket, high: { ...attempt, input } };
    } else {
      const low = { input, output: attempt?.output ?? 0n };
      bracket = { ...bracket, low, lower: bracket.low };
    }
    const { low, high } = bracket;
    if (high !== null && isNearLeast(low, high, target, AIMED)) return found(high);
    const isNextLast = round === MAX_ROUNDS - 2;
    wanted = nextInput(bracket, target, isNextLast ? LAST_MARGIN_BPS : MARGIN_BPS);
    const isBeyond = input === bounds.max && high === null;
    const isBelow = input === bounds.min && high !== null;
    if (isBeyond || isBelow) return { kind: 'outside', input: wanted };
  }
  return lastFound(bracket, target);
}

const found = <T>({ quote }: Found<T>): SearchResult<T> => ({ kind: 'found', quote });

function lastFound<T>({ low, high }: Bracket<T>, target: bigint): SearchResult<T> {
  const isGoodEnough =
    high !== null && (high.output <= target + 1n || isNearLeast(low, high, target, ACCEPTED));
  return isGoodEnough ? found(high) : { kind: 'none' };
}
