import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isNewOffer, replacementFees } from './replacement-fees.js';

const fees = fc
  .tuple(fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 10n ** 12n))
  .map(([tip, base]) => ({ maxPriorityFeePerGas: tip, maxFeePerGas: base + tip }));

const UNBOUNDED = 2n ** 256n;

describe('an offer', () => {
  it('is new with much less gas, whatever a node says about the price', () => {
    const refused = { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n, gasLimit: 10_000_000n };
    expect(isNewOffer({ ...refused, gasLimit: 30_000n }, refused, 1_000n)).toBe(true);
    expect(isNewOffer({ ...refused, gasLimit: 9_999_999n }, refused, 1_000n)).toBe(false);
  });
});

describe('the fees of a replacement', () => {
  it('stop at the chain’s highest fee', () => {
    const market = { maxFeePerGas: 100n, maxPriorityFeePerGas: 1n };
    expect(replacementFees(market, market, 114n)).toEqual(
      replacementFees(market, market, UNBOUNDED),
    );
    expect(replacementFees(market, market, 113n)).toBeNull();
  });

  it('raise both fees by more than a tenth, and never below the market', () => {
    fc.assert(
      fc.property(fees, fees, (previous, market) => {
        const next = replacementFees(previous, market, UNBOUNDED);
        fc.pre(next !== null);
        for (const fee of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
          expect(next[fee] * 10n > previous[fee] * 11n).toBe(true);
          expect(next[fee] >= market[fee]).toBe(true);
        }
        expect(next.maxPriorityFeePerGas <= next.maxFeePerGas).toBe(true);
      }),
    );
  });

  it('stop at ten times the market’s fees', () => {
    const market = { maxFeePerGas: 100n, maxPriorityFeePerGas: 1n };
    let offered = market;
    let rounds = 0;
    for (;;) {
      const next = replacementFees(offered, market, UNBOUNDED);
      if (!next) break;
      offered = next;
      rounds += 1;
    }
    expect(offered.maxFeePerGas <= 1000n).toBe(true);
    expect(rounds).toBeGreaterThan(10);
  });
});
