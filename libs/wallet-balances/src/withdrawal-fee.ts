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

/** Converts the relayer's gas cost into smallest units of the withdrawn token, rounded up. */
export const withdrawalFee = ({ gasPrice, gas, native }: GasCost, token: PricedToken): bigint =>
  convert(gasPrice * gas, native.decimals, native.usd, token.decimals, token.usd, 'up');
