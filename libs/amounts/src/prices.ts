import { toDecimal } from './decimal.js';
import type { Decimal, DecimalLike } from './decimal.js';
import { divide, powerOfTen } from './integers.js';
import type { Rounding } from './integers.js';

/** Values `units` (smallest unit) at a price per whole unit; exact. */
export function valueOf(units: bigint, decimals: number, price: DecimalLike): Decimal {
  const { coefficient, scale } = toDecimal(price);
  return { coefficient: units * coefficient, scale: decimals + scale };
}

/** Inverse of {@link valueOf}: smallest units that a value buys. */
export function unitsOf(
  value: DecimalLike,
  decimals: number,
  price: DecimalLike,
  rounding: Rounding,
): bigint {
  const [worth, each] = [toDecimal(value), toDecimal(price)];
  return divide(
    worth.coefficient * powerOfTen(decimals + each.scale),
    each.coefficient * powerOfTen(worth.scale),
    rounding,
  );
}

/** Converts an amount of one asset to another of equal value; prices are per whole unit in one currency. */
export function convert(
  units: bigint,
  fromDecimals: number,
  fromPrice: DecimalLike,
  toDecimals: number,
  toPrice: DecimalLike,
  rounding: Rounding,
): bigint {
  return unitsOf(valueOf(units, fromDecimals, fromPrice), toDecimals, toPrice, rounding);
}
