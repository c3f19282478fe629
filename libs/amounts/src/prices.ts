import { decimal, roundDecimal, toDecimal } from './decimal.js';
import type { Decimal, DecimalLike } from './decimal.js';
import { divide, powerOfTen } from './integers.js';
import type { Rounding } from './integers.js';

/** Significant digits of a shown price; its relative error is at most 5e-10. */
const PRICE_DIGITS = 10;

/** Price of a currency in itself, as answers write it. */
export const UNIT_PRICE = '1.0';

/** Rounds a price, half up, to ten significant digits; digits before the decimal point are kept. */
export function roundPrice(price: DecimalLike): Decimal {
  const { coefficient, scale } = toDecimal(price);
  const excess = coefficient.toString().length - PRICE_DIGITS;
  const places = Math.max(scale - Math.max(excess, 0), 0);
  if (places >= scale) return { coefficient, scale };
  const half = 5n * powerOfTen(scale - places - 1);
  return roundDecimal(decimal(coefficient + half, scale), places, 'down');
}

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
