export interface Answers<T> {
  /** Results in the order of the calls. */
  values: T[];
  reasons: unknown[];
}

/** Waits for all results, but for slower ones only a limited time after the first. */
export function settleWithGrace<T>(
  reads: readonly Promise<T>[],
  graceMs: number,
): Promise<Answers<T>> {
  const values: { value: T; index: number }[] = [];
  const reasons: unknown[] = [];
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(timer);
      values.sort((one, other) => one.index - other.index);
      resolve({ values: values.map(({ value }) => value), reasons });
    };
    const countAnswer = () => {
      if (values.length + reasons.length === reads.length) finish();
      else if (values.length > 0) timer ??= setTimeout(finish, graceMs);
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
