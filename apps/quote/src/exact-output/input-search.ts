import { ALL_BPS, divide, maxAmount, minAmount } from '@bascule/amounts';

/** Maximum number of quotes of one search. */
export const MAX_ROUNDS = 4;
/** Accepted surplus over the target, in basis points; the input is then within 0.1 % of the least. */
const ACCEPTED_BPS = 3n;
/**
 * Surplus that each further round aims at, in basis points: rounding and moving prices cost no other round. Outputs of
 * few units have no such surplus: one unit more would cost too much.
 */
const AIMED_BPS = 1n;
const WHOLE = BigInt(ALL_BPS);
/** Inverse of the accepted distance from the least input: 0.1 %. */
const PRECISION = 1_000n;

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

interface Bracket {
  /** Greatest input known not to reach the target. */
  low: Point;
  /** The one before, for the slope. */
  lower: Point;
  /** Least input known to reach the target. */
  high: Point | null;
}

const ORIGIN: Point = { input: 0n, output: 0n };

/** Input at which the line through two points reaches the target; null for a line that does not rise. */
function crossing(from: Point, to: Point, target: bigint): bigint | null {
  const rise = to.output - from.output;
  if (rise <= 0n) return null;
  return from.input + divide((target - from.output) * (to.input - from.input), rise, 'up');
}

/** Next input to try; it assumes a line through the two nearest points. */
function nextInput({ low, lower, high }: Bracket, target: bigint): bigint {
  const margin = (target * AIMED_BPS) / WHOLE;
  const aim = margin === 0n ? target : target + margin + 1n;
  if (high === null) {
    return crossing(lower, low, aim) ?? low.input * 2n;
  }
  const between = crossing(low, high, aim) ?? high.input;
  // Few units remain, since `high` would be near enough otherwise.
  return between < high.input ? between : high.input - 1n;
}

const isNearLeast = ({ low, high }: Bracket, target: bigint): boolean =>
  high !== null &&
  ((high.output - target) * WHOLE <= target * ACCEPTED_BPS ||
    high.input - low.input <= 1n ||
    (high.input - low.input) * PRECISION <= high.input);

const clamped = (input: bigint, { min, max }: InputBounds): bigint =>
  minAmount(maxAmount(input, min), max);

/**
 * Finds an input whose quote reaches `target`, within 0.1 % of the least one, or with at most one unit of output more
 * where a unit is worth more than that.
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
  let bracket: Bracket = { low: ORIGIN, lower: ORIGIN, high: null };
  let found: Attempt<T> | null = null;
  let wanted = o.first;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const input = clamped(wanted, bounds);
    const attempt = await o.attempt(input);
    const point = { input, output: attempt?.output ?? 0n };
    if (attempt !== null && attempt.output >= target) {
      found = attempt;
      bracket = { ...bracket, high: point };
    } else {
      bracket = { ...bracket, low: point, lower: bracket.low };
    }
    if (found !== null && isNearLeast(bracket, target))
      return { kind: 'found', quote: found.quote };
    wanted = nextInput(bracket, target);
    const isBeyond = input === bounds.max && found === null;
    const isBelow = input === bounds.min && found !== null;
    if (isBeyond || isBelow) return { kind: 'outside', input: wanted };
  }
  return closeEnough(found, target);
}

const closeEnough = <T>(found: Attempt<T> | null, target: bigint): SearchResult<T> =>
  found !== null && found.output <= target + 1n
    ? { kind: 'found', quote: found.quote }
    : { kind: 'none' };
