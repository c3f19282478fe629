import { collectAnswers } from './collect-answers.js';
import type { Answers } from './collect-answers.js';

/** Number of results without which a few are not enough, and the time that is waited for them after the first. */
export interface Quorum {
  results: number;
  waitMs: number;
}

/** Waits for all results, but for slower ones only a limited time after the first, or after the quorum. */
export function settleWithGrace<T>(
  reads: readonly Promise<T>[],
  graceMs: number,
  { results, waitMs }: Quorum = { results: 1, waitMs: 0 },
): Promise<Answers<T>> {
  let known: Answers<T> = { values: [], reasons: [] };
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    let quorumTimer: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(timer);
      clearTimeout(quorumTimer);
      resolve(known);
    };
    collectAnswers(reads, (answers, isLast) => {
      known = answers;
      if (isLast) finish();
      else if (known.values.length >= results) timer ??= setTimeout(finish, graceMs);
      else if (known.values.length > 0) quorumTimer ??= setTimeout(finish, waitMs);
    });
  });
}
