import { toDecimal } from './decimal.js';
import type { Decimal, DecimalLike } from './decimal.js';
import { divide, powerOfTen } from './integers.js';
import type { Rounding } from './integers.js';

/** What `units` (smallest unit) are worth at a price per whole unit; exact. */
export function valueOf(units: bigint, decimals: number, price: DecimalLike): Decimal {
  const { coefficient, scale } = toDecimal(price);
  return { coefficient: units * coefficient, scale: decimals + scale };
}

/** The inverse of {@link valueOf}: how many smallest units a value buys. */
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

/** An amount of one asset in another of the same value; prices per whole unit in one currency. */
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
