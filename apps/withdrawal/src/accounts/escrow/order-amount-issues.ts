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
    because: `but the order holds ${whole} ${token.symbol} and can only be withdrawn as a whole.`,
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
    limits: { min: text(least) },
    because: `of which the fee of ${text(fee)} ${token.symbol} leaves too little.`,
    reason: 'NO_VALID_AMOUNT',
  });
}

function issue(
  { id, amount, symbol, decimals }: RequestedToken,
  { because, ...problem }: Pick<AmountIssue, 'limits' | 'reason'> & { because: string },
): AmountIssue {
  const given = formatAmount(amount, decimals);
  const message = `Given amount is ${given} ${symbol}, ${because}`;
  return { kind: 'amount', asset: id, given, source: 'withdrawal', message, ...problem };
}
