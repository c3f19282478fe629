import { parseDecimal, compareDecimals } from '@bascule/amounts';
import type { TokenAmount, WithdrawAccount } from '@bascule/contracts';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';

export interface WithdrawalContent {
  tokenAmounts: readonly TokenAmount[];
  recipientAddress: string;
  withdrawAccount: WithdrawAccount;
}

/** Finds the open withdrawals with this account, recipient, tokens and amounts, which an older client may mean. */
export const matchingWithdrawals = (
  open: readonly WithdrawalRecord[],
  named: WithdrawalContent,
): WithdrawalRecord[] =>
  open.filter(
    (record) =>
      record.withdrawAccount === named.withdrawAccount &&
      record.recipientAddress === named.recipientAddress.toLowerCase() &&
      isSame(record.tokenAmounts, named.tokenAmounts),
  );

function isSame(kept: readonly TokenAmount[], named: readonly TokenAmount[]): boolean {
  return (
    kept.length === named.length &&
    kept.every((item) =>
      named.some(
        ({ token, amount }) =>
          token === item.token &&
          compareDecimals(parseDecimal(amount), parseDecimal(item.amount)) === 0,
      ),
    )
  );
}
