import { compareDecimals, formatAmount } from '@bascule/amounts';
import type { AmountIssue, AmountIssueReason, AmountLimits, Issue } from '@bascule/contracts';
import type { Amount } from './amount.js';

/** Amount that the customer gives, with the symbol that messages show. */
export interface GivenAmount extends Amount {
  symbol: string;
  /** Output that the request fixes instead; the amount is then estimated for it. */
  forOutput?: Omit<GivenAmount, 'forOutput'>;
}

export interface AmountProblem {
  source: string;
  reason: AmountIssueReason;
  /** Amounts that would work, in the asset of the request; absent when none is known. */
  limits?: AmountLimits;
  /** Limits in the token behind an onramp, conversion or bridge that decides. */
  downstreamLimits?: AmountLimits;
  /** Rest of the sentence that begins with the given amount. */
  because: string;
}

/** Whether another amount may help. */
export const isAboutAmount = (issue: Issue): issue is AmountIssue =>
  issue.kind === 'amount' || issue.kind === 'amount-downstream';

const amountText = ({ units, decimals, symbol }: GivenAmount): string =>
  `${formatAmount(units, decimals)} ${symbol}`;

/** Limits as a source states them; none where its minimum exceeds its maximum. */
export const possibleLimits = (limits: AmountLimits): AmountLimits => {
  const { min, max } = limits;
  const isPossible = min === undefined || max === undefined || compareDecimals(min, max) <= 0;
  return isPossible ? limits : {};
};

export function amountIssue(given: GivenAmount, problem: AmountProblem): AmountIssue {
  const { source, reason, because } = problem;
  const limits = possibleLimits(problem.limits ?? {});
  const downstreamLimits = problem.downstreamLimits && possibleLimits(problem.downstreamLimits);
  const { forOutput } = given;
  const estimated = forOutput
    ? ` The given amount is estimated for an output of ${amountText(forOutput)}.`
    : '';
  return {
    kind: downstreamLimits ? 'amount-downstream' : 'amount',
    asset: given.asset,
    given: formatAmount(given.units, given.decimals),
    limits,
    ...(downstreamLimits && { downstream_limits: downstreamLimits }),
    source,
    message: `Given amount is ${amountText(given)}, ${because}${estimated}`,
    reason,
  };
}

/** Text of a range, for example `20 to 500 USD`. */
export function rangeText({ min, max }: AmountLimits, symbol: string): string {
  if (min !== undefined && max !== undefined) return `${min} to ${max} ${symbol}`;
  if (min !== undefined) return `at least ${min} ${symbol}`;
  return max === undefined ? 'other amounts' : `at most ${max} ${symbol}`;
}
