import { describe, expect, it } from '@jest/globals';
import { costBound } from './cost-bound.js';

const MAX_COST = 7n;

describe('the bound of a fill or a claim', () => {
  it('is half of the fee by the value of the native coin', () => {
    // 0.50 USD of fee, and 2,500 USD for a coin.
    const terms = { fee: 500_000n, nativeValue: 2_500_000_000n, maxCost: MAX_COST };
    expect(costBound(terms)).toBe(100_000_000_000_000n);
  });

  it('never lets both cost more than the fee', () => {
    for (const fee of [0n, 1n, 3n, 999_999n]) {
      for (const nativeValue of [1n, 7n, 2_999_999_999n]) {
        const both = 2n * costBound({ fee, nativeValue, maxCost: MAX_COST });
        expect(both * nativeValue).toBeLessThanOrEqual(fee * 10n ** 18n);
      }
    }
  });

  it('is that of the chain without a value', () => {
    expect(costBound({ fee: 500_000n, nativeValue: undefined, maxCost: MAX_COST })).toBe(MAX_COST);
  });
});
