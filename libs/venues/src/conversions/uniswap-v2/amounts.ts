import type { Reserves } from './reserves.js';

/** Fees are in hundredths of a basis point. */
const WHOLE = 1_000_000n;
/** A pair refuses to hold more of a token. */
const MAX_RESERVE = 2n ** 112n - 1n;

/** Output of a pair for an input, rounded as the pair does; null where it gives nothing or takes no more. */
export function outputOf(
  amountIn: bigint,
  { input, output }: Reserves,
  fee: number,
): bigint | null {
  const afterFee = amountIn * (WHOLE - BigInt(fee));
  if (afterFee <= 0n || input === 0n || input + amountIn > MAX_RESERVE) return null;
  const amountOut = (afterFee * output) / (input * WHOLE + afterFee);
  return amountOut === 0n ? null : amountOut;
}

/** Least input of a pair for an output; null where it has no more than that. */
export function inputOf(
  amountOut: bigint,
  { input, output }: Reserves,
  fee: number,
): bigint | null {
  const left = (output - amountOut) * (WHOLE - BigInt(fee));
  if (amountOut <= 0n || left <= 0n || input === 0n) return null;
  const needed = amountOut * input * WHOLE;
  const amountIn = (needed + left - 1n) / left;
  return input + amountIn > MAX_RESERVE ? null : amountIn;
}

type AmountOf = (amount: bigint, reserves: Reserves, fee: number) => bigint | null;

const along = (
  amountOf: AmountOf,
  amount: bigint,
  pairs: readonly Reserves[],
  fee: number,
): bigint | null =>
  pairs.reduce<bigint | null>(
    (reached, reserves) => (reached === null ? null : amountOf(reached, reserves, fee)),
    amount,
  );

/** Output at the end of a path of pairs. */
export const outputOfPath = (amountIn: bigint, pairs: readonly Reserves[], fee: number) =>
  along(outputOf, amountIn, pairs, fee);

/** Least input at the beginning of a path of pairs. */
export const inputOfPath = (amountOut: bigint, pairs: readonly Reserves[], fee: number) =>
  along(inputOf, amountOut, pairs.toReversed(), fee);
