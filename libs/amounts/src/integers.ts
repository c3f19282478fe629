import { AmountError } from './amount-error.js';

/** `up` is towards positive infinity, `down` towards negative infinity. */
export type Rounding = 'up' | 'down';

/** Largest integer of a token contract (uint256). */
export const MAX_UINT256 = (1n << 256n) - 1n;

export const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent);

export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (denominator === 0n) throw new AmountError('division_by_zero', 'Division by zero.');
  const quotient = numerator / denominator;
  if (numerator % denominator === 0n) return quotient;
  const isPositive = numerator > 0n === denominator > 0n;
  if (rounding === 'up') return isPositive ? quotient + 1n : quotient;
  return isPositive ? quotient : quotient - 1n;
}
