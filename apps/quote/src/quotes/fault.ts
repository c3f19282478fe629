import type { Issue, QuoteFailure } from '@bascule/contracts';

const isAmount = ({ kind }: Issue): boolean => kind === 'amount' || kind === 'amount-downstream';

export type Outcome =
  | { kind: 'answer'; fault: Issue | null }
  /** Nothing can be quoted, and only the request's amount is to blame. */
  | { kind: 'refusal'; issues: Issue[] };

/** What a response without quotes says why; with quotes there is no fault. */
export function outcome(o: {
  quotes: number;
  failures: readonly QuoteFailure[];
  input: string;
  output: string;
}): Outcome {
  if (o.quotes > 0) return { kind: 'answer', fault: null };
  const issues = o.failures.flatMap((failure) => failure.issues);
  if (issues.length > 0 && issues.every(isAmount)) return { kind: 'refusal', issues };
  const message = `There is no route from ${o.input} to ${o.output}.`;
  const noRoute: Issue = { kind: 'other', message };
  return { kind: 'answer', fault: issues.find(isAmount) ?? issues[0] ?? noRoute };
}
