import type { TransactionFees } from '@bascule/chain';

/** Nodes want a replacement to offer at least a tenth more of both fees. */
const BUMP_PERCENT = 113n;
/** A transaction that does not land at ten times the market's fees is not waiting for a better offer. */
const MARKET_CEILING = 10n;

const bumped = (fee: bigint): bigint => (fee * BUMP_PERCENT) / 100n + 1n;
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** What a replacement has to offer, or null when offering more would only be wasted. */
export function replacementFees(
  previous: TransactionFees,
  market: TransactionFees,
): TransactionFees | null {
  const maxPriorityFeePerGas = larger(
    bumped(previous.maxPriorityFeePerGas),
    market.maxPriorityFeePerGas,
  );
  const maxFeePerGas = larger(
    larger(bumped(previous.maxFeePerGas), market.maxFeePerGas),
    maxPriorityFeePerGas,
  );
  return maxFeePerGas > larger(market.maxFeePerGas, 1n) * MARKET_CEILING
    ? null
    : { maxFeePerGas, maxPriorityFeePerGas };
}
