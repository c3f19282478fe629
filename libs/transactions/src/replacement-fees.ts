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
 * Returns the market's fees with the tip to offer after another one, since nodes may demand more than the lower tip of two:
 * up to the higher one, but only a cheap one, or twice a tip that no node has accepted. So one of two nodes that invents a
 * tip makes a transaction cost little more, and one that hides it does not keep others from accepting it.
 * @param ceiling highest fee of the chain
 */
export function raisedFees(
  market: FeeOffers,
  previous: TransactionFees,
  { wasAccepted, ceiling }: { wasAccepted: boolean; ceiling: bigint },
): FeeOffers {
  const { maxFeePerGas, maxPriorityFeePerGas: first, higherTip, cheapTip } = market;
  const highest = wasAccepted ? cheapTip : larger(cheapTip, 2n * previous.maxPriorityFeePerGas);
  const tip = larger(first, smaller(higherTip, highest));
  const fee = smaller(maxFeePerGas + tip - first, ceiling);
  return { ...market, maxFeePerGas: fee, maxPriorityFeePerGas: smaller(tip, fee) };
}

/** Returns the fees of a replacement; null above the ceiling, or above the chain's highest fee in wei per unit of gas. */
export function replacementFees(
  previous: TransactionFees,
  market: TransactionFees,
  highest: bigint,
): TransactionFees | null {
  const maxPriorityFeePerGas = larger(
    bumped(previous.maxPriorityFeePerGas),
    market.maxPriorityFeePerGas,
  );
  const maxFeePerGas = larger(
    larger(bumped(previous.maxFeePerGas), market.maxFeePerGas),
    maxPriorityFeePerGas,
  );
  return maxFeePerGas > larger(market.maxFeePerGas, 1n) * MARKET_CEILING || maxFeePerGas > highest
    ? null
    : { maxFeePerGas, maxPriorityFeePerGas };
}

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
  // With a lower fee than the price, neither a higher tip nor a smaller cost helps.
  if (refused.maxFeePerGas < price) {
    return next.maxFeePerGas > refused.maxFeePerGas && next.maxFeePerGas >= price;
  }
  return (
    next.maxPriorityFeePerGas >= bumped(refused.maxPriorityFeePerGas) ||
    bumped(next.maxFeePerGas) <= refused.maxFeePerGas
  );
}
