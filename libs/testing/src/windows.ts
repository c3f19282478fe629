/** Quantile of values in any order. */
export function quantile(values: readonly number[], of: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * of))] ?? Number.NaN;
}

const MOST_WINDOWS = 12;

/**
 * The best of some windows of measuring: a machine that others use as well has bad moments, a protection that is gone has
 * no good ones. Ends with the first window that is good enough.
 */
export async function bestWindow(
  measure: () => Promise<number>,
  { goodEnough, windows = MOST_WINDOWS }: { goodEnough: number; windows?: number },
): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let window = 0; window < windows && best > goodEnough; window += 1) {
    best = Math.min(best, await measure());
  }
  return best;
}
