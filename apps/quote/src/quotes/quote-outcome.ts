import type { Issue, QuoteFailure } from '@bascule/contracts';
import { isAboutAmount } from '../routes/amount-issue.js';
import { mostTellingIssue, withTellingIssue } from './telling-issue.js';

export type QuoteOutcome =
  | { kind: 'answer'; fault: Issue | null }
  /** No route has a quote, and only the request's amount is at fault. */
  | { kind: 'refusal'; issues: Issue[] };

/**
 * Decides on the fault of a response without quotes; a response with quotes has none.
 * @param o.failures failures with all of their issues
 */
export function quoteOutcome(o: {
  quotes: number;
  failures: readonly QuoteFailure[];
  showsAllIssues: boolean;
  input: string;
  output: string;
  /** Chains that a route had to pass through. */
  hops: readonly string[];
}): QuoteOutcome {
  if (o.quotes > 0) return { kind: 'answer', fault: null };
  const issues = o.failures.flatMap((failure) => failure.issues);
  if (issues.length > 0 && issues.every(isAboutAmount)) {
    const told = o.showsAllIssues ? o.failures : withTellingIssue(o.failures);
    return { kind: 'refusal', issues: told.flatMap((failure) => failure.issues) };
  }
  const through = o.hops.length === 0 ? '' : ` through ${o.hops.join(', ')}`;
  const message = `No route from ${o.input} to ${o.output}${through}.`;
  const noRoute: Issue = { kind: 'other', message };
  return { kind: 'answer', fault: mostTellingIssue(issues) ?? noRoute };
}
