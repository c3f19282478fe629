/** What the solver keeps of an order. */
export interface FeeTerms {
  /** Hundredths of a per cent of the input. */
  bps: number;
  /** Smallest units. */
  flat: bigint;
}

const WHOLE = 10_000n;

/** What is delivered for an input: never negative, the fee rounded up. */
export function outputFor(input: bigint, { bps, flat }: FeeTerms): bigint {
  const output = (input * (WHOLE - BigInt(bps))) / WHOLE - flat;
  return output > 0n ? output : 0n;
}

/** The largest input for which no more than this is delivered. */
export const largestInputFor = (output: bigint, { bps, flat }: FeeTerms): bigint =>
  ((output + flat + 1n) * WHOLE - 1n) / (WHOLE - BigInt(bps));
