import { compareDecimals } from '@bascule/amounts';
import type { Issue, QuoteFailure } from '@bascule/contracts';

/** Kinds of issues, those first that tell the caller what to change. */
const KINDS: readonly Issue['kind'][] = [
  'amount',
  'amount-downstream',
  'payin_method',
  'payout_method',
  'destination',
  'kyc',
  'geolocation',
  'org_configuration',
  'provider',
  'other',
  'unknown',
];

function rank(issue: Issue): number {
  const position = KINDS.indexOf(issue.kind);
  return position < 0 ? KINDS.length : position;
}

/** Orders amount issues: known limits first, then the limit that is nearest to the given amount. */
function compareLimits(a: Issue, b: Issue): number {
  if (!('limits' in a) || !('limits' in b)) return 0;
  const [x, y] = [a.limits, b.limits];
  if (a.reason === 'TOO_HIGH' && b.reason === 'TOO_HIGH') {
    if (x.max !== undefined && y.max !== undefined) return compareDecimals(y.max, x.max);
    return Number(x.max === undefined) - Number(y.max === undefined);
  }
  if (x.min !== undefined && y.min !== undefined) return compareDecimals(x.min, y.min);
  return (
    Number(x.min === undefined && x.max === undefined) -
    Number(y.min === undefined && y.max === undefined)
  );
}

/** The issue that helps the caller most; undefined without any. */
export const mostTellingIssue = (issues: readonly Issue[]): Issue | undefined =>
  [...issues].sort((a, b) => rank(a) - rank(b) || compareLimits(a, b))[0];

/** Reduces each failure to its most telling issue. */
export const withTellingIssue = (failures: readonly QuoteFailure[]): QuoteFailure[] =>
  failures.map((failure) => {
    const issue = mostTellingIssue(failure.issues);
    return issue === undefined ? failure : { ...failure, issues: [issue] };
  });
