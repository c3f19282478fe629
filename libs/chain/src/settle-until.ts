import type { Answers } from './settle-with-grace.js';

/** Waits for all results, or until those at hand are enough. Each read needs a time limit of its own. */
export function settleUntil<T>(
  reads: readonly Promise<T>[],
  isEnough: (values: readonly T[]) => boolean,
): Promise<Answers<T>> {
  const found: { value: T; index: number }[] = [];
  const reasons: unknown[] = [];
  return new Promise((resolve) => {
    const countAnswer = () => {
      const ordered = found.toSorted((one, other) => one.index - other.index);
      const values = ordered.map(({ value }) => value);
      const isLast = found.length + reasons.length === reads.length;
      if (isLast || isEnough(values)) resolve({ values, reasons: [...reasons] });
    };
    if (reads.length === 0) countAnswer();
    reads.forEach((read, index) => {
      read
        .then(
          (value) => found.push({ value, index }),
          (reason: unknown) => reasons.push(reason),
        )
        .finally(countAnswer);
    });
  });
}
