import { AmountError } from './amount-error.js';
import { MAX_UINT256, divide } from './integers.js';
import type { Rounding } from './integers.js';

const UNSIGNED_DECIMAL = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;
// 78 digits before and after the point hold every uint256 at every number of decimals in use.
const MAX_LENGTH = 160;

/** Splits a plain unsigned decimal text; signs, exponents, blanks and leading zeros are refused. */
export function splitDecimal(text: string): { whole: string; fraction: string } {
  const match = text.length <= MAX_LENGTH ? UNSIGNED_DECIMAL.exec(text) : null;
  const whole = match?.[1];
  if (whole === undefined) {
    throw new AmountError('malformed', 'Expected a plain decimal number such as "12.5".');
  }
  return { whole, fraction: match?.[2] ?? '' };
}

/**
 * Converts a decimal string in whole units to an integer in the smallest unit.
 * Exact: excess decimals other than zeros are refused.
 */
export function parseAmount(decimal: string, decimals: number): bigint {
  const { whole, fraction } = splitDecimal(decimal);
  if (/[1-9]/.test(fraction.slice(decimals))) {
    throw new AmountError('excess_decimals', `Expected at most ${decimals} decimals.`);
  }
  const units = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  if (units > MAX_UINT256) throw new AmountError('too_large', 'The amount is too large.');
  return units;
}

/** Inverse of {@link parseAmount}: canonical, without trailing zeros. */
export function formatAmount(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const sign = units < 0n ? '-' : '';
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/** Basis points of a whole. */
export const ALL_BPS = 10_000;

/** Computes `bps` basis points of an amount. */
export const basisPoints = (units: bigint, bps: number, rounding: Rounding): bigint =>
  divide(units * BigInt(bps), BigInt(ALL_BPS), rounding);

export const minAmount = (left: bigint, right: bigint): bigint => (left < right ? left : right);
export const maxAmount = (left: bigint, right: bigint): bigint => (left > right ? left : right);
