import { formatDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_TICK, priceAtTick, quotePerBase } from './tick-price.js';

/** `TickMath.MAX_SQRT_RATIO` of Uniswap V3: the square root of the price at the highest tick, in Q64.96. */
const MAX_SQRT_RATIO = 1461446703485210103287273052203988822378723970342n;
const isWithin = (part: bigint, value: bigint, expected: bigint): boolean => {
  const distance = value > expected ? value - expected : expected - value;
  return distance * part <= expected;
};

describe('priceAtTick', () => {
  it('is one at tick 0 and equals TickMath at the highest tick', () => {
    expect(priceAtTick(0)).toBe(1n << 256n);
    // Squared, Q64.96 becomes Q128.192.
    const expected = (MAX_SQRT_RATIO ** 2n) << 64n;
    expect(isWithin(10n ** 18n, priceAtTick(MAX_TICK), expected)).toBe(true);
  });

  it('grows by 0.01 % per tick and is reciprocal for negative ticks', () => {
    fc.assert(
      fc.property(fc.integer({ min: -500_000, max: 500_000 }), (tick) => {
        const next = (priceAtTick(tick) * 10_001n) / 10_000n;
        expect(isWithin(10n ** 30n, priceAtTick(tick + 1), next)).toBe(true);
        const product = (priceAtTick(tick) * priceAtTick(-tick)) >> 256n;
        expect(isWithin(10n ** 30n, product, 1n << 256n)).toBe(true);
      }),
    );
  });
});

describe('quotePerBase', () => {
  it('applies the decimals of both tokens', () => {
    // WETH (18) in USDC (6) at 1,700: 1.0001^-201931 × 10^12.
    const price = quotePerBase({ tick: -201_931, baseDecimals: 18, quoteDecimals: 6 });
    expect(formatDecimal(price)).toMatch(/^1700\./);
    const inverse = quotePerBase({ tick: 201_931, baseDecimals: 6, quoteDecimals: 18 });
    expect(formatDecimal(inverse)).toMatch(/^0\.000587/);
  });
});
