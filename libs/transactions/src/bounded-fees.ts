import type { MarketFees, TransactionFees } from '@bascule/chain';

/** Bound of a transaction's cost, its value not included; wei. */
export interface CostBound {
  gasLimit: bigint;
  /** Fee for the data, beside the gas. */
  dataFee: bigint;
  /** Null without a bound. */
  maxCost: bigint | null;
}

/** Price of gas in the newest block, of two nodes the higher one: `feesFor` offers twice its base fee, and its tip. */
export const highestPrice = ({ maxFeePerGas, maxPriorityFeePerGas }: TransactionFees): bigint =>
  (maxFeePerGas + maxPriorityFeePerGas + 1n) / 2n;

/** Highest fee per unit of gas with which a transaction stays within its bound; null where its data alone exceeds it. */
export function highestFee({ gasLimit, dataFee, maxCost }: CostBound, highest: bigint) {
  if (maxCost === null) return highest;
  if (dataFee > maxCost) return null;
  const affordable = (maxCost - dataFee) / gasLimit;
  return affordable < highest ? affordable : highest;
}

/**
 * Returns the market's fees, lowered so that the transaction cannot cost more than its bound; null where the present price
 * exceeds it. Of two nodes' prices the lower one counts: one that lies stops no transaction, and costs no more than the
 * bound.
 */
export function boundedFees(market: MarketFees, bound: CostBound): TransactionFees | null {
  const { maxFeePerGas, maxPriorityFeePerGas, price } = market;
  const highest = highestFee(bound, maxFeePerGas);
  if (highest === null || highest < price) return null;
  return { maxFeePerGas: highest, maxPriorityFeePerGas };
}
