import { formatAmount } from '@bascule/amounts';
import type { AmountIssue, AssetAmount, TokenIdentifier } from '@bascule/contracts';

/** Money of a payment in its deposit token; amounts in smallest units. */
export interface ParkedBalance {
  token: TokenIdentifier;
  symbol: string;
  decimals: number;
  held: bigint;
  /** Fee of withdrawing this token alone. */
  fee: bigint;
}

/** Input of a requote: the balance less its withdrawal fee; an issue, without limits, when nothing is left. */
export function requotedInput(
  balance: ParkedBalance,
): { amount: AssetAmount } | { issue: AmountIssue } {
  const { token: asset, symbol, decimals, held, fee } = balance;
  const text = (units: bigint) => formatAmount(units, decimals);
  if (held > fee) return { amount: { asset, amount: text(held - fee) } };
  const message =
    held === 0n
      ? `Given amount is 0 ${symbol}, since the wallet of the payment holds none.`
      : `Given amount is ${text(held)} ${symbol}, which does not exceed the withdrawal fee of ${text(fee)}.`;
  return {
    issue: {
      kind: 'amount',
      asset,
      given: text(held),
      limits: {},
      source: 'withdrawal',
      message,
      reason: 'NO_VALID_AMOUNT',
    },
  };
}
