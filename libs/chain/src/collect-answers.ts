export interface Answers<T> {
  /** Results in the order of the calls. */
  values: T[];
  reasons: unknown[];
}

/** Collects the results of reads, and tells after each one what is at hand, and whether it was the last. */
export function collectAnswers<T>(
  reads: readonly Promise<T>[],
  tell: (answers: Answers<T>, isLast: boolean) => void,
): void {
  const found: { value: T; index: number }[] = [];
  const reasons: unknown[] = [];
  const countAnswer = () => {
    const ordered = found.toSorted((one, other) => one.index - other.index);
    const answers = { values: ordered.map(({ value }) => value), reasons: [...reasons] };
    tell(answers, found.length + reasons.length === reads.length);
  };
  reads.forEach((read, index) => {
    read
      .then(
        (value) => found.push({ value, index }),
        (reason: unknown) => reasons.push(reason),
      )
      .finally(countAnswer);
  });
}
