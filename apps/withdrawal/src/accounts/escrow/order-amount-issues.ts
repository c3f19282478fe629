import { formatAmount } from '@bascule/amounts';
import type { AmountIssue } from '@bascule/contracts';
import { minWithdrawalAmount } from '../../fees/min-withdrawal-amount.js';
import type { RequestedToken } from '../../requests/requested-tokens.js';

/** Reports an amount other than the order's: an order is refunded as a whole. */
export function orderAmountIssue(token: RequestedToken, held: bigint): AmountIssue | null {
  if (token.amount === held) return null;
  const whole = formatAmount(held, token.decimals);
  return issue(token, {
    limits: { min: whole, max: whole },
    message: `The order holds ${whole} ${token.symbol} and can only be withdrawn as a whole.`,
    reason: token.amount > held ? 'TOO_HIGH' : 'TOO_LOW',
  });
}

/** Reports a fee that leaves nothing of the order. */
export function orderFeeIssue(
  token: RequestedToken,
  held: bigint,
  fee: bigint,
): AmountIssue | null {
  const least = minWithdrawalAmount(fee);
  if (held >= least) return null;
  const text = (units: bigint) => formatAmount(units, token.decimals);
  return issue(token, {
    limits: { min: text(least), max: text(held) },
    message: `The fee of ${text(fee)} ${token.symbol} exceeds the amount.`,
    reason: 'TOO_LOW',
  });
}

const issue = (
  { id, amount, decimals }: RequestedToken,
  problem: Pick<AmountIssue, 'limits' | 'message' | 'reason'>,
): AmountIssue => ({
  kind: 'amount',
  asset: id,
  given: formatAmount(amount, decimals),
  source: 'withdrawal',
  ...problem,
});
