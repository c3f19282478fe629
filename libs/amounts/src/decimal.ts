import { AmountError } from './amount-error.js';
import { formatAmount, splitDecimal } from './amount.js';
import { divide, powerOfTen } from './integers.js';
import type { Rounding } from './integers.js';

/** An exact decimal number: `coefficient / 10^scale`. Prices and values, never token amounts. */
export interface Decimal {
  readonly coefficient: bigint;
  readonly scale: number;
}

/** Argument of these functions: a `Decimal` or its string, since prices travel as strings. */
export type DecimalLike = Decimal | string;

export const ZERO: Decimal = { coefficient: 0n, scale: 0 };

/** Parses an unsigned decimal string of any precision, exactly. */
export function parseDecimal(text: string): Decimal {
  const { whole, fraction } = splitDecimal(text);
  return { coefficient: BigInt(whole + fraction), scale: fraction.length };
}

/** Creates `coefficient / 10^scale`, for example from a price feed's answer and decimals. */
export function decimal(coefficient: bigint, scale = 0): Decimal {
  if (!Number.isInteger(scale) || scale < 0) {
    throw new AmountError('malformed', 'A scale is a non-negative integer.');
  }
  return { coefficient, scale };
}

export const toDecimal = (value: DecimalLike): Decimal =>
  typeof value === 'string' ? parseDecimal(value) : value;

const coefficientAt = (value: Decimal, scale: number): bigint =>
  value.coefficient * powerOfTen(scale - value.scale);

function aligned(left: DecimalLike, right: DecimalLike): [bigint, bigint, number] {
  const [a, b] = [toDecimal(left), toDecimal(right)];
  const scale = Math.max(a.scale, b.scale);
  return [coefficientAt(a, scale), coefficientAt(b, scale), scale];
}

export function addDecimals(...values: DecimalLike[]): Decimal {
  return values.reduce<Decimal>((sum, value) => {
    const [a, b, scale] = aligned(sum, value);
    return { coefficient: a + b, scale };
  }, ZERO);
}

export function subDecimals(left: DecimalLike, right: DecimalLike): Decimal {
  const [a, b, scale] = aligned(left, right);
  return { coefficient: a - b, scale };
}

export function mulDecimals(left: DecimalLike, right: DecimalLike): Decimal {
  const [a, b] = [toDecimal(left), toDecimal(right)];
  return { coefficient: a.coefficient * b.coefficient, scale: a.scale + b.scale };
}

/** Divides, with at most `maxDecimals` decimals; the only operation here that rounds by itself. */
export function divDecimals(
  left: DecimalLike,
  right: DecimalLike,
  maxDecimals: number,
  rounding: Rounding,
): Decimal {
  const [a, b] = aligned(left, right);
  return { coefficient: divide(a * powerOfTen(maxDecimals), b, rounding), scale: maxDecimals };
}

export function compareDecimals(left: DecimalLike, right: DecimalLike): -1 | 0 | 1 {
  const [a, b] = aligned(left, right);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export const isZero = (value: DecimalLike): boolean => toDecimal(value).coefficient === 0n;

export function roundDecimal(value: DecimalLike, maxDecimals: number, rounding: Rounding): Decimal {
  const { coefficient, scale } = toDecimal(value);
  if (scale <= maxDecimals) return { coefficient, scale };
  const rounded = divide(coefficient, powerOfTen(scale - maxDecimals), rounding);
  return { coefficient: rounded, scale: maxDecimals };
}

/** Formats without trailing zeros; exact unless `maxDecimals` is given. */
export function formatDecimal(
  value: DecimalLike,
  maxDecimals?: number,
  rounding: Rounding = 'down',
): string {
  const exact = toDecimal(value);
  const { coefficient, scale } =
    maxDecimals === undefined ? exact : roundDecimal(exact, maxDecimals, rounding);
  return formatAmount(coefficient, scale);
}
