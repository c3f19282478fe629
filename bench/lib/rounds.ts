export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** Quantile of values in ascending order. */
export const quantile = (sorted: ArrayLike<number>, of: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * of))] ?? Number.NaN;

/** Runs `work` in `lanes` loops for a time; returns how often it ran in a second. */
export async function throughput(
  work: () => Promise<unknown>,
  { lanes, forMs }: { lanes: number; forMs: number },
): Promise<number> {
  let done = 0;
  const started = performance.now();
  const lane = async (): Promise<void> => {
    while (performance.now() - started < forMs) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (done * 1000) / (performance.now() - started);
}

/** The machine's speed drifts, so the two sides take turns and only the ratio of each turn counts. */
export async function inTurns<A, B>(
  turns: number,
  one: () => Promise<A>,
  other: () => Promise<B>,
): Promise<[A, B][]> {
  const results: [A, B][] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    // ABBA: neither side always has the warmer machine.
    if (turn % 2 === 0) {
      const a = await one();
      results.push([a, await other()]);
    } else {
      const b = await other();
      results.push([await one(), b]);
    }
  }
  return results;
}
