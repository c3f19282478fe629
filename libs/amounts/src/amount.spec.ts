import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AmountError, MAX_UINT256, basisPoints, formatAmount, parseAmount } from './index.js';

const units = fc.bigInt({ min: 0n, max: MAX_UINT256 });
const decimals = fc.integer({ min: 0, max: 36 });

const errorCode = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return error instanceof AmountError ? error.code : 'another error';
  }
  return 'none';
};

describe('parseAmount', () => {
  it.each([
    ['0', 6, 0n],
    ['1', 6, 1_000_000n],
    ['12.5', 6, 12_500_000n],
    ['0.000001', 6, 1n],
    ['7', 0, 7n],
    ['1.000000000000000001', 18, 1_000_000_000_000_000_001n],
  ])('reads %s with %d decimals', (text, places, expected) => {
    expect(parseAmount(text, places)).toBe(expected);
  });

  it.each(['', ' ', '1 ', '+1', '-1', '1e3', '0x10', '01', '.5', '5.', '1,5', 'NaN', '1_000', '١'])(
    'refuses %j',
    (text) => {
      expect(errorCode(() => parseAmount(text, 6))).toBe('malformed');
    },
  );

  it.each(['0.0000001', '1.00000001', '1.0000010001'])(
    'refuses the excess decimals of %s',
    (text) => {
      expect(errorCode(() => parseAmount(text, 6))).toBe('excess_decimals');
    },
  );

  it('accepts zeros beyond the decimals of the asset', () => {
    fc.assert(
      fc.property(units, decimals, fc.integer({ min: 1, max: 40 }), (amount, places, zeros) => {
        const text = formatAmount(amount, places);
        const padded = `${text}${text.includes('.') ? '' : '.'}${'0'.repeat(places + zeros)}`;
        expect(parseAmount(padded, places)).toBe(amount);
      }),
    );
  });

  it('refuses more than a uint256', () => {
    expect(MAX_UINT256).toBe(2n ** 256n - 1n);
    expect(parseAmount(MAX_UINT256.toString(), 0)).toBe(MAX_UINT256);
    expect(errorCode(() => parseAmount((MAX_UINT256 + 1n).toString(), 0))).toBe('too_large');
    expect(errorCode(() => parseAmount('9'.repeat(1_000_000), 0))).toBe('malformed');
  });

  it('is the inverse of formatAmount', () => {
    fc.assert(
      fc.property(units, decimals, (amount, places) => {
        expect(parseAmount(formatAmount(amount, places), places)).toBe(amount);
      }),
    );
  });
});

describe('formatAmount', () => {
  it.each([
    [0n, 6, '0'],
    [1_500_000n, 6, '1.5'],
    [1n, 18, '0.000000000000000001'],
    [-2_500_000n, 6, '-2.5'],
    [100n, 0, '100'],
  ])('writes %d with %d decimals as %s', (amount, places, expected) => {
    expect(formatAmount(amount, places)).toBe(expected);
  });

  it('is canonical: equal amounts have equal texts', () => {
    fc.assert(
      fc.property(units, decimals, (amount, places) => {
        expect(formatAmount(amount, places)).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(formatAmount(amount * 10n, places + 1)).toBe(formatAmount(amount, places));
      }),
    );
  });
});

describe('basisPoints', () => {
  it('splits an amount without losing a unit when the sides round differently', () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 10_000 }), (amount, bps) => {
        const part = basisPoints(amount, bps, 'down');
        const rest = basisPoints(amount, 10_000 - bps, 'up');
        expect(part + rest).toBe(amount);
      }),
    );
  });
});
