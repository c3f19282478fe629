import { compareDecimals, subDecimals, type DecimalLike } from '@bascule/amounts';

const CENT = '0.01';

/** Compares amounts of a fiat that a provider may have added up as floating-point numbers. */
export function isWithinACent(one: DecimalLike, other: DecimalLike): boolean {
  const [low, high] = compareDecimals(one, other) < 0 ? [one, other] : [other, one];
  return compareDecimals(subDecimals(high, low), CENT) <= 0;
}
