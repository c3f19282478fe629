import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  ZERO,
  addDecimals,
  compareDecimals,
  convert,
  decimal,
  divDecimals,
  formatDecimal,
  isZero,
  mulDecimals,
  parseDecimal,
  roundDecimal,
  subDecimals,
  unitsOf,
  valueOf,
} from './index.js';

const anyDecimal = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 24 }))
  .map(([coefficient, scale]) => decimal(coefficient, scale));
const price = anyDecimal.filter((value) => !isZero(value));
const units = fc.bigInt({ min: 0n, max: 10n ** 40n });
const decimals = fc.integer({ min: 0, max: 18 });

describe('decimals', () => {
  it('survive a round trip through their text', () => {
    fc.assert(
      fc.property(anyDecimal, (value) => {
        expect(compareDecimals(parseDecimal(formatDecimal(value)), value)).toBe(0);
      }),
    );
  });

  it('add and subtract exactly, in any order', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, anyDecimal, (a, b, c) => {
        expect(compareDecimals(addDecimals(a, b, c), addDecimals(c, a, b))).toBe(0);
        expect(compareDecimals(subDecimals(addDecimals(a, b), b), a)).toBe(0);
      }),
    );
  });

  it('multiply over sums', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, anyDecimal, (a, b, c) => {
        const left = mulDecimals(a, addDecimals(b, c));
        const right = addDecimals(mulDecimals(a, b), mulDecimals(a, c));
        expect(compareDecimals(left, right)).toBe(0);
      }),
    );
  });

  it('round within one unit of the last place, down never above and up never below', () => {
    fc.assert(
      fc.property(anyDecimal, fc.integer({ min: 0, max: 12 }), (value, places) => {
        const [low, high] = [
          roundDecimal(value, places, 'down'),
          roundDecimal(value, places, 'up'),
        ];
        expect(compareDecimals(low, value)).not.toBe(1);
        expect(compareDecimals(high, value)).not.toBe(-1);
        expect(compareDecimals(subDecimals(high, low), decimal(1n, places))).not.toBe(1);
      }),
    );
  });

  it('print negative differences with their sign and round in the given direction', () => {
    const difference = subDecimals('1', '2.25');
    expect(formatDecimal(difference)).toBe('-1.25');
    expect(formatDecimal(difference, 1, 'down')).toBe('-1.3');
    expect(formatDecimal(difference, 1, 'up')).toBe('-1.2');
  });

  it('divide with the decimals asked for', () => {
    expect(formatDecimal(divDecimals('1', '3', 4, 'down'))).toBe('0.3333');
    expect(formatDecimal(divDecimals('1', '3', 4, 'up'))).toBe('0.3334');
    expect(() => divDecimals('1', ZERO, 4, 'up')).toThrow('zero');
  });
});

describe('values and conversions', () => {
  it('value an amount exactly', () => {
    expect(formatDecimal(valueOf(1_500_000n, 6, '0.9998'))).toBe('1.4997');
  });

  it('convert between decimals: 2,000 USDC is 0.5 of a token at 4,000', () => {
    expect(convert(2_000_000_000n, 6, '1', 18, '4000', 'down')).toBe(5n * 10n ** 17n);
  });

  it('create no value in a round trip', () => {
    fc.assert(
      fc.property(units, decimals, price, decimals, price, (amount, from, p, to, q) => {
        const there = convert(amount, from, p, to, q, 'down');
        expect(convert(there, to, q, from, p, 'down')).toBeLessThanOrEqual(amount);
        const enough = convert(amount, from, p, to, q, 'up');
        expect(convert(enough, to, q, from, p, 'up')).toBeGreaterThanOrEqual(amount);
      }),
    );
  });

  it('differ by at most one unit between the two roundings', () => {
    fc.assert(
      fc.property(units, decimals, price, decimals, price, (amount, from, p, to, q) => {
        const low = convert(amount, from, p, to, q, 'down');
        const high = convert(amount, from, p, to, q, 'up');
        expect([0n, 1n]).toContain(high - low);
      }),
    );
  });

  it('invert valueOf by unitsOf', () => {
    fc.assert(
      fc.property(units, decimals, price, (amount, places, p) => {
        const value = valueOf(amount, places, p);
        expect(unitsOf(value, places, p, 'down')).toBe(amount);
        expect(unitsOf(value, places, p, 'up')).toBe(amount);
      }),
    );
  });

  it('refuse a price of zero', () => {
    expect(() => convert(1n, 6, '1', 6, '0', 'down')).toThrow('zero');
  });
});
