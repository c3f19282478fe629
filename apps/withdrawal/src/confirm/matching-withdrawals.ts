import { parseDecimal, compareDecimals } from '@bascule/amounts';
import type { TokenAmount } from '@bascule/contracts';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';

export interface NamedByContent {
  tokenAmounts: readonly TokenAmount[];
  recipientAddress: string;
  payload: string | null;
}

/** Which withdrawals an older client can mean: the same tokens, amounts and recipient, and the nonce that it signed. */
export function matchingWithdrawals(
  open: readonly WithdrawalRecord[],
  named: NamedByContent,
): WithdrawalRecord[] {
  const nonce = named.payload === null ? null : nonceOf(named.payload);
  return open.filter(
    (record) =>
      record.recipientAddress === named.recipientAddress.toLowerCase() &&
      isSame(record.tokenAmounts, named.tokenAmounts) &&
      (nonce === null || record.nonce.toString() === nonce),
  );
}

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

/** `''` when the payload is not the typed data of a withdrawal: then it names none. */
function nonceOf(payload: string): string {
  try {
    const { message } = JSON.parse(payload) as { message?: { nonce?: unknown } };
    return typeof message?.nonce === 'string' ? message.nonce : '';
  } catch {
    return '';
  }
}
