import { formatAmount } from '@bascule/amounts';
import type { AmountIssue } from '@bascule/contracts';
import { minWithdrawalAmount } from '../../fees/withdrawal-fee.js';
import type { RequestedToken } from '../../requests/requested-tokens.js';

/** What is wrong with the amount that is asked for, given what the order holds: it leaves the escrow as a whole. */
export function orderAmountIssue(token: RequestedToken, held: bigint): AmountIssue | null {
  if (token.amount === held) return null;
  const whole = formatAmount(held, token.decimals);
  return issue(token, {
    limits: { min: whole, max: whole },
    message: `The order holds ${whole} ${token.symbol}, which can only be withdrawn as a whole.`,
    reason: token.amount > held ? 'TOO_HIGH' : 'TOO_LOW',
  });
}

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
    message: `Withdrawing costs ${text(fee)} ${token.symbol}: nothing would be left to pay out.`,
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
