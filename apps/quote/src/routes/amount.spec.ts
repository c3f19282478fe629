import { compareDecimals, decimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { equalValue, worth, type Amount } from './amount.js';
import { MissingPriceError, PriceBook } from './price-book.js';

const prices = PriceBook.in(
  'usd',
  new Map([
    ['alphanet:0x', decimal(2_500n)],
    ['alphanet:0x01', decimal(1n)],
  ]),
);
const without = PriceBook.in('usd', new Map());
const usdc = (units: bigint): Amount => ({ asset: 'alphanet:0x01', decimals: 6, units });
const wei = (units: bigint): Amount => ({ asset: 'alphanet:0x', decimals: 18, units });

describe('worth', () => {
  it('is the exact value of an amount', () => {
    expect(compareDecimals(worth(wei(3n), prices), decimal(7_500n, 18))).toBe(0);
  });

  it('requires a price', () => {
    expect(() => worth(usdc(1n), without)).toThrow(MissingPriceError);
  });
});

describe('equalValue', () => {
  it('converts by value and rounds as asked', () => {
    // 0.0002 ether at 2,500 dollars.
    const fee = 200_000_000_000_000n;
    expect(equalValue(wei(fee), usdc(0n), prices, 'up')).toBe(500_000n);
    expect(equalValue(wei(fee + 1n), usdc(0n), prices, 'up')).toBe(500_001n);
    expect(equalValue(wei(fee + 1n), usdc(0n), prices, 'down')).toBe(500_000n);
    expect(equalValue(wei(1n), usdc(0n), prices, 'up')).toBe(1n);
  });

  it('requires prices of two assets, and none of one', () => {
    expect(equalValue(wei(21n), wei(0n), without, 'up')).toBe(21n);
    expect(() => equalValue(wei(21n), usdc(0n), without, 'up')).toThrow(MissingPriceError);
  });
});
