import { formatAmount } from '@bascule/amounts';
import type { BalanceResult, TokenIdentifier } from '@bascule/contracts';
import { getAddress } from 'viem';
import { minWithdrawalAmount } from '../fees/min-withdrawal-amount.js';

export interface FoundBalance {
  address: string;
  token: TokenIdentifier;
  decimals: number;
  /** Smallest units; null when reading the token failed. */
  units: bigint | null;
  /** Null when the fee is unknown. */
  fee: bigint | null;
}

/** Account from which a balance can be withdrawn. */
export type Place = Pick<BalanceResult, 'withdraw_account' | 'account'>;

/** A payment's one-time wallet. */
export const WALLET: Place = { withdraw_account: 'SPW', account: 'spw' };
/** An order in the escrow. */
export const ORDER: Place = { withdraw_account: 'INTENT', account: 'intent' };
/** An address from which the caller can withdraw nothing. */
export const NO_ACCOUNT: Place = {};

export const failedBalance = (
  address: string,
  token: TokenIdentifier,
  place: Place = WALLET,
): BalanceResult => ({
  address: getAddress(address),
  token,
  value: { kind: 'error' },
  ...place,
});

export function balanceResult(
  { address, token, decimals, units, fee }: FoundBalance,
  place: Place = WALLET,
): BalanceResult {
  if (units === null || fee === null) return failedBalance(address, token, place);
  return {
    address: getAddress(address),
    token,
    value: {
      kind: 'amount',
      amount: formatAmount(units, decimals),
      withdrawal_fee: formatAmount(fee, decimals),
      min_withdrawal_amount: formatAmount(minWithdrawalAmount(fee), decimals),
    },
    ...place,
  };
}

/** True for every balance above zero, and always for the deposit token. */
export const isShown = (balance: FoundBalance, depositToken: TokenIdentifier): boolean =>
  balance.token === depositToken || balance.units !== 0n;
