import type { FeeOffers, TransactionFees } from '@bascule/chain';

/** Nodes require at least 10 % more of both fees for a replacement. */
const BUMP_PERCENT = 113n;
/** Above ten times the market's fees, a higher fee no longer helps. */
const MARKET_CEILING = 10n;

/** Least fee that differs enough from a lower one. */
export const bumped = (fee: bigint): bigint => (fee * BUMP_PERCENT) / 100n + 1n;
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * Returns the market's fees with the tip to offer after another attempt, since nodes may demand more than the lower tip of two.
 * @param ceiling highest fee of the chain
 */
export function raisedFees(market: FeeOffers, ceiling: bigint): FeeOffers {
  const { maxFeePerGas, maxPriorityFeePerGas, risenTip } = market;
  const fee = smaller(maxFeePerGas + risenTip - maxPriorityFeePerGas, ceiling);
  return { ...market, maxFeePerGas: fee, maxPriorityFeePerGas: smaller(risenTip, fee) };
}

/**
 * Returns the fees of a replacement; null above the chain's highest fee in wei per unit of gas, or above ten times the
 * market's, unless it is urgent.
 */
export function replacementFees(
  previous: TransactionFees,
  market: TransactionFees,
  highest: bigint,
  isUrgent = false,
): TransactionFees | null {
  const maxPriorityFeePerGas = larger(
    bumped(previous.maxPriorityFeePerGas),
    market.maxPriorityFeePerGas,
  );
  const maxFeePerGas = larger(
    larger(bumped(previous.maxFeePerGas), market.maxFeePerGas),
    maxPriorityFeePerGas,
  );
  const isTooDear = maxFeePerGas > larger(market.maxFeePerGas, 1n) * MARKET_CEILING;
  return maxFeePerGas > highest || (isTooDear && !isUrgent)
    ? null
    : { maxFeePerGas, maxPriorityFeePerGas };
}

/** Highest fee of an attempt that a replacement can follow. */
export const replaceableFee = (highest: bigint): bigint => (highest * 100n) / BUMP_PERCENT - 1n;

/** Gas and fees of an attempt. */
export interface Offer extends TransactionFees {
  gasLimit: bigint;
}

/**
 * Whether another attempt differs enough from one that no node has accepted, so that a node which refused that one may accept
 * it. Else the same bytes would be refused for ever, or attempts without end be stored where a signature or fee varies.
 * @param price highest price of gas that a node reports
 */
export function isNewOffer(next: Offer, refused: Offer, price: bigint): boolean {
  if (next.gasLimit >= bumped(refused.gasLimit)) return true;
  if (next.maxFeePerGas >= bumped(refused.maxFeePerGas)) return true;
  // One of two nodes may have asked for too much gas.
  if (bumped(next.gasLimit) <= refused.gasLimit) return true;
  // With a lower fee than the price, neither a higher tip nor a smaller cost helps.
  if (refused.maxFeePerGas < price) {
    return next.maxFeePerGas > refused.maxFeePerGas && next.maxFeePerGas >= price;
  }
  return (
    next.maxPriorityFeePerGas >= bumped(refused.maxPriorityFeePerGas) ||
    bumped(next.maxFeePerGas) <= refused.maxFeePerGas
  );
}
