import { convert } from '@bascule/amounts';

export interface PricedToken {
  decimals: number;
  /** US dollars for one whole token. */
  usd: string;
}

export interface GasCost {
  /** Wei for one unit of gas. */
  gasPrice: bigint;
  gas: bigint;
  native: PricedToken;
}

/** What relaying costs us, in the smallest unit of the token that is withdrawn; never less than it costs. */
export const withdrawalFee = ({ gasPrice, gas, native }: GasCost, token: PricedToken): bigint =>
  convert(gasPrice * gas, native.decimals, native.usd, token.decimals, token.usd, 'up');

/** The least amount of which anything reaches the recipient. */
export const minWithdrawalAmount = (fee: bigint): bigint => fee + 1n;

/** A retry's deposit must not come up short: its fee is only what exceeds what the new payment needs. */
export function cappedFee(fee: bigint, amount: bigint, needed: bigint): bigint {
  const excess = amount > needed ? amount - needed : 0n;
  return fee < excess ? fee : excess;
}
