import type { TransactionFees } from '@bascule/chain';

/** Nodes require at least 10 % more of both fees for a replacement. */
const BUMP_PERCENT = 113n;
/** Above ten times the market's fees, a higher fee no longer helps. */
const MARKET_CEILING = 10n;

const bumped = (fee: bigint): bigint => (fee * BUMP_PERCENT) / 100n + 1n;
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

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
