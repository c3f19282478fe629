/** Fee of a withdrawal that funds a retry; smallest units. */
export interface RetryFee {
  fee: bigint;
  /** The retry's deposit leaves less than the full fee. */
  isReduced: boolean;
}

/**
 * Caps the fee at the excess over the retry's required deposit, so that an amount which covers the deposit funds the
 * retry. A smaller amount pays the full fee, also where the retry already holds the rest.
 */
export function retryFee(full: bigint, amount: bigint, needed: bigint): RetryFee {
  const excess = amount - needed;
  if (excess < 0n || full <= excess) return { fee: full, isReduced: false };
  return { fee: excess, isReduced: true };
}
