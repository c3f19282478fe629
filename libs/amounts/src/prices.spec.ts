import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  compareDecimals,
  decimal,
  formatDecimal,
  mulDecimals,
  roundPrice,
  subDecimals,
} from './index.js';

describe('roundPrice', () => {
  it.each([
    ['0.00023790299997199327', '0.000237903'],
    ['0.00023790299994', '0.0002379029999'],
    ['3021.123456789012345678', '3021.123457'],
    ['1', '1'],
    ['0.8', '0.8'],
    ['0', '0'],
    ['1600000000000.5', '1600000000001'],
    ['12345678901234', '12345678901234'],
    ['9999999999.99', '10000000000'],
    ['0.00000000000000000123456789049', '0.000000000000000001234567890'],
  ])('rounds %s to %s', (price, expected) => {
    expect(formatDecimal(roundPrice(price))).toBe(formatDecimal(expected));
  });

  it('changes a price by at most 5 in the eleventh digit, and only once', () => {
    const prices = fc.tuple(fc.bigInt(1n, 10n ** 40n), fc.integer({ min: 0, max: 40 }));
    fc.assert(
      fc.property(prices, ([coefficient, scale]) => {
        const price = decimal(coefficient, scale);
        const rounded = roundPrice(price);
        const difference =
          compareDecimals(rounded, price) > 0
            ? subDecimals(rounded, price)
            : subDecimals(price, rounded);
        expect(compareDecimals(difference, mulDecimals(price, '0.0000000005'))).toBeLessThan(1);
        expect(compareDecimals(roundPrice(rounded), rounded)).toBe(0);
        expect(compareDecimals(rounded, '0')).toBe(1);
      }),
    );
  });
});
