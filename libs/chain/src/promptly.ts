export interface Answers<T> {
  /** In the order of the questions. */
  values: T[];
  reasons: unknown[];
}

/** All answers, but once there is one, those that take longer than a while are no longer waited for. */
export function promptly<T>(
  questions: readonly Promise<T>[],
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
      if (values.length + reasons.length === questions.length) finish();
      else if (values.length > 0) timer ??= setTimeout(finish, graceMs);
    };
    questions.forEach((question, index) => {
      question
        .then(
          (value) => values.push({ value, index }),
          (reason: unknown) => reasons.push(reason),
        )
        .finally(countAnswer);
    });
  });
}
