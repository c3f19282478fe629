import { describe, expect, it } from '@jest/globals';
import {
  AmountError,
  compareDecimals,
  decimal,
  divDecimals,
  formatDecimal,
  maxAmount,
  minAmount,
  parseAmount,
  parseDecimal,
} from './index.js';

function errorOf(action: () => unknown): { name: string; code: string; message: string } {
  try {
    action();
  } catch (error) {
    if (error instanceof AmountError) return error;
  }
  throw new Error('expected an AmountError');
}

describe('the longest decimal text', () => {
  it('has 160 characters', () => {
    const longest = `0.${'1'.repeat(158)}`;
    expect(parseDecimal(longest).scale).toBe(158);
    expect(errorOf(() => parseDecimal(`${longest}1`)).code).toBe('malformed');
  });
});

describe('an amount error', () => {
  it('states the expected format', () => {
    expect(errorOf(() => parseAmount('1e3', 6))).toMatchObject({
      name: 'AmountError',
      code: 'malformed',
      message: 'Expected a plain decimal number such as "12.5".',
    });
    expect(errorOf(() => parseAmount('1.1234567', 6)).message).toBe('Expected at most 6 decimals.');
    expect(errorOf(() => parseAmount(`1${'0'.repeat(78)}`, 0))).toMatchObject({
      code: 'too_large',
      message: 'The amount is too large.',
    });
  });

  it('refuses a division by zero', () => {
    expect(errorOf(() => divDecimals('1', '0', 2, 'up'))).toMatchObject({
      code: 'division_by_zero',
      message: 'Division by zero.',
    });
  });

  it.each([-1, 0.5])('refuses a scale of %p', (scale) => {
    expect(errorOf(() => decimal(1n, scale))).toMatchObject({
      code: 'malformed',
      message: 'A scale is a non-negative integer.',
    });
  });
});

describe('the smaller and the larger amount', () => {
  it.each([
    [1n, 2n],
    [2n, 1n],
  ])('among %p and %p are 1 and 2', (left, right) => {
    expect(minAmount(left, right)).toBe(1n);
    expect(maxAmount(left, right)).toBe(2n);
  });
});

describe('rounding', () => {
  it('goes down when none is given', () => {
    expect(formatDecimal('1.29', 1)).toBe('1.2');
    expect(formatDecimal('1.29', 1, 'up')).toBe('1.3');
  });

  it.each([
    [1n, -2n, '-0.5', '-1', '0'],
    [-1n, 2n, '-0.5', '-1', '0'],
    [-1n, -2n, '0.5', '0', '1'],
  ])('goes towards the named infinity for %p / %p', (left, right, exact, down, up) => {
    const rounded = (maxDecimals: number, rounding: 'up' | 'down') =>
      formatDecimal(divDecimals(decimal(left), decimal(right), maxDecimals, rounding));
    expect(rounded(1, 'down')).toBe(exact);
    expect(rounded(0, 'down')).toBe(down);
    expect(rounded(0, 'up')).toBe(up);
  });
});

describe('a comparison', () => {
  it('compares values of different scales', () => {
    expect(compareDecimals('1', '2')).toBe(-1);
    expect(compareDecimals('2', '1')).toBe(1);
    expect(compareDecimals('1', '1.00')).toBe(0);
  });
});
