import type { MarketFees, Medians, TransactionFees } from '@bascule/chain';

/** Bound of a transaction's cost, its value not included; wei. */
export interface CostBound {
  gasLimit: bigint;
  /** Fee for the data, beside the gas. */
  dataFee: Medians;
  /** Null without a bound. */
  maxCost: bigint | null;
}

/**
 * Highest fee per unit of gas with which a transaction stays within its bound; null where its data alone exceeds it.
 * @param middle data fee of two nodes that counts
 */
export function highestFee(
  { gasLimit, dataFee, maxCost }: CostBound,
  highest: bigint,
  middle: keyof Medians = 'lower',
): bigint | null {
  if (maxCost === null) return highest;
  const left = maxCost - dataFee[middle];
  if (left < 0n) return null;
  const affordable = left / gasLimit;
  return affordable < highest ? affordable : highest;
}

/**
 * Returns the market's fees, lowered so that the transaction cannot cost more than its bound; null where the present price
 * exceeds it. Of two nodes' prices and data fees the lower ones refuse: one that lies stops no transaction. The higher data
 * fee lowers the fees where these reach the price all the same. So one that reports a lower data fee makes a transaction
 * exceed its bound by no more than the difference, and only where it would wait for cheaper gas otherwise.
 */
export function boundedFees(market: MarketFees, bound: CostBound): TransactionFees | null {
  const { maxFeePerGas, maxPriorityFeePerGas, price, higherPrice } = market;
  const cautious = highestFee(bound, maxFeePerGas, 'higher');
  if (cautious !== null && cautious >= higherPrice) {
    return within(cautious, maxPriorityFeePerGas);
  }
  const highest = highestFee(bound, maxFeePerGas);
  if (highest === null || highest < price) return null;
  return within(highest, maxPriorityFeePerGas);
}

const within = (maxFeePerGas: bigint, tip: bigint): TransactionFees => ({
  maxFeePerGas,
  maxPriorityFeePerGas: tip < maxFeePerGas ? tip : maxFeePerGas,
});
