export interface Answers<T> {
  /** Results in the order of the calls. */
  values: T[];
  reasons: unknown[];
}

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
  const values: { value: T; index: number }[] = [];
  const reasons: unknown[] = [];
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    let quorumTimer: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(timer);
      clearTimeout(quorumTimer);
      values.sort((one, other) => one.index - other.index);
      resolve({ values: values.map(({ value }) => value), reasons });
    };
    const countAnswer = () => {
      if (values.length + reasons.length === reads.length) finish();
      else if (values.length >= results) timer ??= setTimeout(finish, graceMs);
      else if (values.length > 0) quorumTimer ??= setTimeout(finish, waitMs);
    };
    reads.forEach((read, index) => {
      read
        .then(
          (value) => values.push({ value, index }),
          (reason: unknown) => reasons.push(reason),
        )
        .finally(countAnswer);
    });
  });
}
