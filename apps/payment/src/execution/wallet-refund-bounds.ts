import type { Medians } from '@bascule/chain';

/** Prices that nodes report, in wei: of two the lower one says whether a refund is worth its cost, the higher one bounds it. */
export interface RefundPrices {
  /** Price of one unit of gas. */
  gasPrice: Medians;
  /** Highest fee of a rollup for a refund's data. */
  dataFee: Medians;
}

/**
 * Bounds of a refund's transaction: twice the usual gas, since the refunded token is foreign code, and `factor` times the
 * usual cost, a rollup's data fee included.
 */
export const walletRefundBounds = (
  gas: bigint,
  { gasPrice, dataFee }: RefundPrices,
  factor: bigint,
): { maxGas: bigint; maxCost: bigint } => ({
  maxGas: 2n * gas,
  maxCost: factor * (gas * gasPrice.higher + dataFee.higher),
});
