import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { leastBeforeSlippage, minAfterSlippage } from './quoted-route.js';

describe('leastBeforeSlippage', () => {
  it.each([
    [1_000_000n, 0, 1_000_000n],
    [995_000n, 1, 999_999n],
    [990_000n, 2, 999_999n],
    [1n, 3, 1n],
  ])('is the least amount with a minimum of %s after %s steps', (min, steps, least) => {
    expect(leastBeforeSlippage(min, steps, 50)).toBe(least);
  });

  it('inverts minAfterSlippage to the last unit', () => {
    const terms = fc.record({
      min: fc.bigInt({ min: 1n, max: 10n ** 30n }),
      steps: fc.integer({ min: 0, max: 6 }),
      slippageBps: fc.integer({ min: 0, max: 1_000 }),
    });
    fc.assert(
      fc.property(terms, ({ min, steps, slippageBps }) => {
        const least = leastBeforeSlippage(min, steps, slippageBps);
        expect(minAfterSlippage(least, steps, slippageBps)).toBeGreaterThanOrEqual(min);
        const less = least - 1n;
        if (less > 0n) expect(minAfterSlippage(less, steps, slippageBps)).toBeLessThan(min);
      }),
    );
  });
});
