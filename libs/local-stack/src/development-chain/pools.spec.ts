import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { developmentPools, squareRoot } from './pools.js';
import { developmentV2Pairs } from './v2-pairs.js';
import { developmentV4Pools } from './v4-pools.js';

const ranges = [...developmentPools, ...developmentV4Pools];

describe('the pools of a development chain', () => {
  it.each(ranges)('start at the price of their amounts: $name', (pool) => {
    const { token0, token1, sqrtPriceX96 } = pool;
    const inOneBillion = (sqrtPriceX96 ** 2n * token0.amount * 10n ** 9n) / (token1.amount << 192n);
    expect(Number(inOneBillion) / 1e9).toBeCloseTo(1, 6);
  });

  it('hold their tokens in the order of the addresses', () => {
    for (const { token0, token1 } of [...ranges, ...developmentV2Pairs]) {
      expect(BigInt(token0.token)).toBeLessThan(BigInt(token1.token));
    }
  });

  it('use multiples of the tick spacing', () => {
    for (const { tickLower, tickUpper, tickSpacing, fee } of ranges) {
      expect(tickSpacing).toBe(fee === 500 ? 10 : 60);
      expect([Math.abs(tickLower % tickSpacing), tickUpper % tickSpacing]).toEqual([0, 0]);
    }
  });
});

describe('the square root', () => {
  it('is the greatest integer with a square not above the value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 400n }), (value) => {
        const root = squareRoot(value);
        expect(root * root <= value && (root + 1n) ** 2n > value).toBe(true);
      }),
    );
  });
});
