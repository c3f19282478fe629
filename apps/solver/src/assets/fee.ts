/** Fee of an order. */
export interface FeeTerms {
  /** Share of the input in basis points. */
  bps: number;
  /** Smallest units. */
  flat: bigint;
}

const WHOLE = 10_000n;

/** Returns the output for an input, with the fee rounded up; never negative. */
export function outputFor(input: bigint, { bps, flat }: FeeTerms): bigint {
  const output = (input * (WHOLE - BigInt(bps))) / WHOLE - flat;
  return output > 0n ? output : 0n;
}

/** Returns the largest input whose output does not exceed this one. */
export const largestInputFor = (output: bigint, { bps, flat }: FeeTerms): bigint =>
  ((output + flat + 1n) * WHOLE - 1n) / (WHOLE - BigInt(bps));
