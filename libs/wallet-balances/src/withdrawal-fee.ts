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
  /** Fee of a rollup for the transaction's data, in wei. */
  dataFee?: bigint;
  native: PricedToken;
}

/** Converts the relayer's gas cost into smallest units of the withdrawn token, rounded up. */
export const withdrawalFee = (
  { gasPrice, gas, dataFee = 0n, native }: GasCost,
  token: PricedToken,
): bigint =>
  convert(gasPrice * gas + dataFee, native.decimals, native.usd, token.decimals, token.usd, 'up');
