import { formatAmount } from '@bascule/amounts';
import type { AmountIssue } from '@bascule/contracts';
import type { RequestedToken } from '../requests/requested-tokens.js';

/** Fee that was reduced in favour of a retry's deposit; amounts in smallest units. */
export interface ReducedFee {
  token: RequestedToken;
  /** Fee without the reduction. */
  full: bigint;
  /** Deposit that the retry requires. */
  needed: bigint;
  /** Balance of the account. */
  held: bigint;
}

/** Refuses a second reduced fee of a chain of retries. */
export function reducedFeeIssue({ token, full, needed, held }: ReducedFee): AmountIssue {
  const text = (units: bigint) => formatAmount(units, token.decimals);
  const least = needed + full;
  return {
    kind: 'amount',
    asset: token.id,
    given: text(token.amount),
    limits: { min: text(least), ...(least <= held && { max: text(held) }) },
    source: 'withdrawal',
    message:
      `A chain of retries has one reduced fee, and it is used. The fee of ${text(full)} ` +
      `${token.symbol} leaves less than the retry's deposit of ${text(needed)} ${token.symbol}. ` +
      'Request a new quote for the retry.',
    reason: least > held ? 'NO_VALID_AMOUNT' : 'TOO_LOW',
  };
}
