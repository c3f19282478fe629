/**
 * Bounds of a refund's transaction: twice the usual gas, since the refunded token is foreign code, and `factor` times the
 * usual cost.
 */
export const walletRefundBounds = (
  { gas, gasPrice }: { gas: bigint; gasPrice: bigint },
  factor: bigint,
): { maxGas: bigint; maxCost: bigint } => ({ maxGas: 2n * gas, maxCost: factor * gas * gasPrice });
