import { collectAnswers } from './collect-answers.js';
import type { Answers } from './collect-answers.js';

/** Waits for all results, or until those at hand are enough. Each read needs a time limit of its own. */
export function settleUntil<T>(
  reads: readonly Promise<T>[],
  isEnough: (values: readonly T[]) => boolean,
): Promise<Answers<T>> {
  return new Promise((resolve) => {
    if (reads.length === 0) resolve({ values: [], reasons: [] });
    collectAnswers(reads, (answers, isLast) => {
      if (isLast || isEnough(answers.values)) resolve(answers);
    });
  });
}
