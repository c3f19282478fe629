import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { boundedFees, highestFee } from './bounded-fees.js';
import { replacementFees } from './replacement-fees.js';

const market = fc
  .tuple(fc.bigInt(0n, 10n ** 12n), fc.bigInt(0n, 10n ** 12n))
  .map(([tip, base]) => ({
    ...{ maxPriorityFeePerGas: tip, maxFeePerGas: 2n * base + tip },
    ...{ price: base + tip, higherPrice: base + tip },
  }));
/** Data fees of two nodes, of which one may lie. */
const dataFee = fc
  .tuple(fc.bigInt(0n, 10n ** 16n), fc.bigInt(0n, 10n ** 16n))
  .map(([one, other]) =>
    one < other ? { lower: one, higher: other } : { lower: other, higher: one },
  );
const bound = fc.record({
  gasLimit: fc.bigInt(21_000n, 10_000_000n),
  dataFee,
  maxCost: fc.bigInt(0n, 10n ** 19n),
});
const UNBOUNDED = 2n ** 256n;

describe('the fees of a transaction with a bound', () => {
  it('never let it cost more, through any number of replacements at any prices', () => {
    fc.assert(
      fc.property(bound, fc.array(market, { minLength: 1, maxLength: 12 }), (within, markets) => {
        const { gasLimit, dataFee, maxCost } = within;
        let offered = null;
        for (const now of markets) {
          const affordable = boundedFees(now, within);
          const highest = highestFee(within, UNBOUNDED);
          if (affordable === null || highest === null) continue;
          const next: typeof affordable | null =
            offered === null ? affordable : replacementFees(offered, affordable, highest);
          if (next === null) continue;
          offered = next;
          expect(gasLimit * next.maxFeePerGas + dataFee.lower <= maxCost).toBe(true);
          expect(next.maxPriorityFeePerGas <= next.maxFeePerGas).toBe(true);
        }
      }),
    );
  });

  it('reach the present price, or there are none', () => {
    fc.assert(
      fc.property(bound, market, (within, now) => {
        const fees = boundedFees(now, within);
        const { price } = now;
        if (fees !== null) expect(fees.maxFeePerGas >= price).toBe(true);
        else expect(within.gasLimit * price + within.dataFee.lower > within.maxCost).toBe(true);
      }),
    );
  });

  it('are within it by the higher data fee of two nodes, too, where they reach the price by it', () => {
    fc.assert(
      fc.property(bound, market, (within, now) => {
        const { gasLimit, dataFee, maxCost } = within;
        const fees = boundedFees(now, within);
        if (fees === null || gasLimit * now.higherPrice + dataFee.higher > maxCost) return;
        expect(gasLimit * fees.maxFeePerGas + dataFee.higher <= maxCost).toBe(true);
      }),
    );
  });

  it('are the market’s where these are within it, or there is none', () => {
    const fees = { maxFeePerGas: 21n, maxPriorityFeePerGas: 1n };
    const now = { ...fees, price: 11n, higherPrice: 11n };
    const gas = { gasLimit: 100n, dataFee: { lower: 5n, higher: 5n } };
    expect(boundedFees(now, { ...gas, maxCost: null })).toEqual(fees);
    expect(boundedFees(now, { ...gas, maxCost: 2_105n })).toEqual(fees);
    expect(boundedFees(now, { ...gas, maxCost: 2_104n })).toEqual({ ...fees, maxFeePerGas: 20n });
    expect(boundedFees(now, { ...gas, maxCost: 1_105n })).toEqual({ ...fees, maxFeePerGas: 11n });
    expect(boundedFees(now, { ...gas, maxCost: 1_104n })).toBeNull();
    expect(boundedFees(now, { ...gas, maxCost: 4n })).toBeNull();
  });

  it('are the bound’s where only the higher price of two exceeds it', () => {
    const base = { honest: 10n, liar: 1_000_000n };
    const fees = { maxFeePerGas: 2n * base.liar + 1n, maxPriorityFeePerGas: 1n };
    const now = { ...fees, price: base.honest + 1n, higherPrice: base.liar + 1n };
    const within = { gasLimit: 100n, dataFee: { lower: 0n, higher: 0n }, maxCost: 2_000n };
    expect(boundedFees(now, within)).toEqual({ ...fees, maxFeePerGas: 20n });
    expect(boundedFees({ ...now, price: base.liar + 1n }, within)).toBeNull();
  });

  it('are stopped by no data fee that one of two nodes invents, and lowered by one that it hides', () => {
    const now = { maxFeePerGas: 21n, maxPriorityFeePerGas: 1n, price: 11n, higherPrice: 11n };
    const within = { gasLimit: 100n, maxCost: 2_105n };
    const invented = { lower: 5n, higher: 10n ** 18n };
    expect(boundedFees(now, { ...within, dataFee: invented })).toMatchObject({ maxFeePerGas: 21n });
    const hidden = { lower: 0n, higher: 805n };
    expect(boundedFees(now, { ...within, dataFee: hidden })).toMatchObject({ maxFeePerGas: 13n });
  });
});
