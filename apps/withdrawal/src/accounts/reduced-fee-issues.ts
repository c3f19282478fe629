import { formatAmount } from '@bascule/amounts';
import type { AmountIssue, Issue } from '@bascule/contracts';
import type { RequestedToken } from '../requests/requested-tokens.js';

/** Fee that was reduced in favour of a retry's deposit; amounts in smallest units. */
interface RetrysFee {
  token: RequestedToken;
  /** Fee without the reduction. */
  full: bigint;
  /** Deposit that the retry requires. */
  needed: bigint;
  /** Balance of the account. */
  held: bigint;
}

const NONE_LEFT = 'A chain of retries has one reduced fee, and it is used.';

/** Refuses a second reduced fee in favour of a retry's deposit. */
export function retrysFeeIssue({ token, full, needed, held }: RetrysFee): AmountIssue {
  const text = (units: bigint) => formatAmount(units, token.decimals);
  const least = needed + full;
  return {
    kind: 'amount',
    asset: token.id,
    given: text(token.amount),
    limits: { min: text(least), ...(least <= held && { max: text(held) }) },
    source: 'withdrawal',
    message:
      `${NONE_LEFT} The fee of ${text(full)} ${token.symbol} leaves less than the retry's deposit of ` +
      `${text(needed)} ${token.symbol}. Request a new quote for the retry.`,
    reason: least > held ? 'NO_VALID_AMOUNT' : 'TOO_LOW',
  };
}

/** Refuses a second withdrawal that pays no fee because no price converts its gas. */
export function unpricedFeeIssue(tokens: readonly RequestedToken[], remedy: string): Issue {
  const symbols = tokens.map(({ symbol }) => symbol).join(' or ');
  return {
    kind: 'other',
    message: `${NONE_LEFT} No price converts the gas into ${symbols}, so this withdrawal would be free. ${remedy}`,
  };
}
