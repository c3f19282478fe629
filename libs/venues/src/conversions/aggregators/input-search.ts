/** Swap for an input: what was told, and its simulation. */
interface Attempt<T> {
  amountOut: bigint;
  proof(): Promise<T | null>;
}

interface Questions<T> {
  /** Input that selling the wanted output would yield. */
  backwards(): Promise<bigint | null>;
  forwards(amountIn: bigint): Promise<Attempt<T> | null>;
}

interface Point {
  input: bigint;
  output: bigint;
}

/** Together with the first guess four requests. */
const MAX_ATTEMPTS = 3;
/** Added to each corrected guess, since prices move and amounts are rounded. */
const MARGIN_BPS = 2n;
const BPS = 10_000n;

/**
 * Searches an input that yields at least the output. The price of the opposite direction is the first guess; each attempt
 * corrects it, in proportion and then by the slope between two attempts.
 * @returns null where there is no route, or no such input after three attempts
 */
export async function searchInput<T extends { amountOut: bigint }>(
  wanted: bigint,
  questions: Questions<T>,
): Promise<T | null> {
  let guess = await questions.backwards();
  let last: Point = { input: 0n, output: 0n };
  for (let attempt = 0; attempt < MAX_ATTEMPTS && guess !== null && guess > 0n; attempt += 1) {
    const tried = await questions.forwards(guess);
    if (tried === null || tried.amountOut === 0n) return null;
    const proven = tried.amountOut >= wanted ? await tried.proof() : null;
    if (proven !== null && proven.amountOut >= wanted) return proven;
    const point = { input: guess, output: proven?.amountOut ?? tried.amountOut };
    guess = corrected(wanted, last, point);
    last = point;
  }
  return null;
}

/** Point on the line through both, rounded up; before the first attempt lies the origin. */
function corrected(wanted: bigint, last: Point, { input, output }: Point): bigint {
  const rise = output - last.output;
  const run = input - last.input;
  const onLine = rise === 0n ? input : input + ((wanted - output) * run) / rise;
  return (onLine * (BPS + MARGIN_BPS)) / BPS + 1n;
}
