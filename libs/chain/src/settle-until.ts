import type { Answers } from './settle-with-grace.js';

/** Waits for all results, or until those at hand are enough. Each read needs a time limit of its own. */
export function settleUntil<T>(
  reads: readonly Promise<T>[],
  isEnough: (values: readonly T[]) => boolean,
): Promise<Answers<T>> {
  const values: T[] = [];
  const reasons: unknown[] = [];
  return new Promise((resolve) => {
    const countAnswer = () => {
      const isLast = values.length + reasons.length === reads.length;
      if (isLast || isEnough(values)) resolve({ values: [...values], reasons: [...reasons] });
    };
    if (reads.length === 0) countAnswer();
    for (const read of reads) {
      read
        .then(
          (value) => values.push(value),
          (reason: unknown) => reasons.push(reason),
        )
        .finally(countAnswer);
    }
  });
}
