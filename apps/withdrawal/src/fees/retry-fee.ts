/** Fee of a withdrawal that funds a retry; smallest units. */
export interface RetryFee {
  fee: bigint;
  /** The retry's deposit leaves less than the full fee. */
  isReduced: boolean;
}

/** Caps the fee at the excess over the retry's required deposit, so that the deposit never falls short. */
export function retryFee(full: bigint, amount: bigint, needed: bigint): RetryFee {
  const excess = amount > needed ? amount - needed : 0n;
  return full <= excess ? { fee: full, isReduced: false } : { fee: excess, isReduced: true };
}
