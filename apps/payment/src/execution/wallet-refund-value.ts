import { compareDecimals, valueOf } from '@bascule/amounts';
import type { Decimal } from '@bascule/amounts';
import type { DecimalString } from '@bascule/contracts';

const NATIVE_DECIMALS = 18;

export interface RefundCost {
  gas: bigint;
  /** Wei for one unit of gas. */
  gasPrice: bigint;
  /** Fee of a rollup for the refund's data, in wei. */
  dataFee: bigint;
  nativeUsd: Decimal | DecimalString;
}

/** An amount of a token, in its smallest unit. */
export interface RefundedAmount {
  amount: bigint;
  decimals: number;
  /** US dollars for one whole token. */
  usd: Decimal | DecimalString;
}

/** True when the refund's gas and data cost at least what it refunds. */
export function isBelowGasCost(
  { amount, decimals, usd }: RefundedAmount,
  { gas, gasPrice, dataFee, nativeUsd }: RefundCost,
): boolean {
  const cost = valueOf(gas * gasPrice + dataFee, NATIVE_DECIMALS, nativeUsd);
  return compareDecimals(valueOf(amount, decimals, usd), cost) <= 0;
}
