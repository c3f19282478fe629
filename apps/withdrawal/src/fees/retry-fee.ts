/** Fee of a withdrawal that funds a retry; smallest units. */
export interface RetryFee {
  fee: bigint;
  /** The retry's deposit leaves less than the full fee. */
  isReduced: boolean;
}

/**
 * Caps the fee at the excess over the retry's required deposit, so that the fee never leaves the retry short.
 * An amount below that deposit pays the full fee: it leaves the retry short in any case.
 */
export function retryFee(full: bigint, amount: bigint, needed: bigint): RetryFee {
  const excess = amount - needed;
  if (excess < 0n || full <= excess) return { fee: full, isReduced: false };
  return { fee: excess, isReduced: true };
}
