import { MAX_UINT256, maxAmount } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_ROUNDS, searchInput, type InputBounds } from './input-search.js';

const UNBOUNDED: InputBounds = { min: 1n, max: MAX_UINT256 };

/** Source that takes a flat fee and a share of the rest, and pays at a price. */
interface Source {
  flat: bigint;
  bps: bigint;
  /** Output per million of input. */
  price: bigint;
}

const outputOf = ({ flat, bps, price }: Source, input: bigint): bigint => {
  const rest = input - flat;
  return rest <= 0n ? 0n : (rest * (10_000n - bps) * price) / 10_000_000_000n;
};

async function search(
  quote: (input: bigint) => bigint | null,
  o: { first: bigint; target: bigint; bounds?: InputBounds },
) {
  const tried: bigint[] = [];
  const result = await searchInput({
    bounds: UNBOUNDED,
    ...o,
    attempt: async (input) => {
      tried.push(input);
      const output = quote(input);
      return output === null ? null : { output, quote: input };
    },
  });
  return { result, tried };
}

const aSource = fc.record({
  flat: fc.bigInt({ min: 0n, max: 10n ** 7n }),
  bps: fc.bigInt({ min: 0n, max: 1_000n }),
  price: fc.bigInt({ min: 10n ** 4n, max: 10n ** 9n }),
});

describe('searchInput', () => {
  it('exceeds an output of few units by at most 0.1 % and one of them', async () => {
    const worlds = fc.record({
      // Input units for one unit of output.
      price: fc.bigInt({ min: 10n ** 4n, max: 10n ** 12n }),
      target: fc.bigInt({ min: 3n, max: 10_000n }),
      flat: fc.bigInt({ min: 0n, max: 10n ** 4n }),
      estimate: fc.bigInt({ min: 950n, max: 1_050n }),
    });
    await fc.assert(
      fc.asyncProperty(worlds, async ({ price, target, flat, estimate }) => {
        const output = (input: bigint) => (input <= flat ? 0n : (input - flat) / price);
        const first = (price * target * estimate) / 1_000n;
        const { result } = await search(output, { first, target });
        if (result.kind !== 'found') throw new Error(result.kind);
        expect(output(result.quote)).toBeGreaterThanOrEqual(target);
        expect(output(result.quote)).toBeLessThanOrEqual(target + target / 1_000n + 1n);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes the first input at once where it is right', async () => {
    const { result, tried } = await search((input) => input - 7n, { first: 107n, target: 100n });
    expect(result).toEqual({ kind: 'found', quote: 107n });
    expect(tried).toEqual([107n]);
  });

  it('comes within 0.1 % of the least input of flat and proportional fees', async () => {
    const worlds = fc.record({
      source: aSource,
      // Least inputs from ten times the flat fee up, estimated by a tenth too high or too low.
      least: fc.bigInt({ min: 10n ** 8n, max: 10n ** 15n }),
      estimate: fc.bigInt({ min: 900n, max: 1_100n }),
    });
    await fc.assert(
      fc.asyncProperty(worlds, async ({ source, least, estimate }) => {
        const target = outputOf(source, least);
        fc.pre(target > 10n ** 6n);
        const { result, tried } = await search((input) => outputOf(source, input), {
          ...{ first: (least * estimate) / 1_000n, target },
        });
        if (result.kind !== 'found') throw new Error(result.kind);
        expect(outputOf(source, result.quote)).toBeGreaterThanOrEqual(target);
        expect(outputOf(source, (result.quote * 999n) / 1_000n)).toBeLessThan(target);
        expect(tried.length).toBeLessThanOrEqual(MAX_ROUNDS);
      }),
    );
  });

  it('comes within 0.1 % of the least input of a pool', async () => {
    const pool = fc.record({
      reserve: fc.bigInt({ min: 10n ** 12n, max: 10n ** 20n }),
      /** Share of the reserve, in thousandths, that the target buys: a price impact of up to 10 %. */
      share: fc.bigInt({ min: 1n, max: 100n }),
      estimate: fc.bigInt({ min: 900n, max: 1_100n }),
    });
    await fc.assert(
      fc.asyncProperty(pool, async ({ reserve, share, estimate }) => {
        const output = (input: bigint) => (reserve * input) / (reserve + input);
        const target = (reserve * share) / 1_000n;
        const first = (target * estimate) / 1_000n;
        const { result } = await search(output, { first, target });
        if (result.kind !== 'found') throw new Error(result.kind);
        expect(output(result.quote)).toBeGreaterThanOrEqual(target);
        expect(output((result.quote * 999n) / 1_000n)).toBeLessThan(target);
      }),
    );
  });

  it('comes within 0.1 % or one cent of the least input of an onramp that rounds its fee up', async () => {
    const worlds = fc.record({
      flat: fc.bigInt({ min: 0n, max: 200n }),
      bps: fc.bigInt({ min: 0n, max: 600n }),
      // Smallest units of the output for a cent.
      price: fc.bigInt({ min: 10n ** 3n, max: 10n ** 16n }),
      least: fc.bigInt({ min: 500n, max: 50_000n }),
      estimate: fc.bigInt({ min: 850n, max: 1_100n }),
    });
    const oneCentMore = { flat: 7n, bps: 159n, price: 1_000n, least: 501n, estimate: 850n };
    await fc.assert(
      fc.asyncProperty(worlds, async ({ flat, bps, price, least, estimate }) => {
        const output = (cents: bigint) => {
          const rest = cents - flat - (cents * bps + 9_999n) / 10_000n;
          return rest > 0n ? rest * price : 0n;
        };
        const target = output(least);
        const first = (target * estimate) / (price * 1_000n);
        const { result } = await search(output, { first, target });
        if (result.kind !== 'found') throw new Error(result.kind);
        expect(output(result.quote)).toBeGreaterThanOrEqual(target);
        const near = maxAmount(result.quote / 1_000n, 1n);
        expect(output(result.quote - near - 1n)).toBeLessThan(target);
      }),
      { numRuns: 2_000, examples: [[oneCentMore]] },
    );
  });

  it('comes within 0.1 % and one step of the least input where outputs rise in steps', async () => {
    const worlds = fc.record({
      /** Units of input for one step, of which the least input takes 5,000: a step of 2 basis points. */
      step: fc.bigInt({ min: 10n, max: 10n ** 6n }),
      /** Share of the input that is taken from the output, in millionths: outputs fall within a step. */
      ppm: fc.bigInt({ min: 0n, max: 25_000n }),
      flat: fc.bigInt({ min: 0n, max: 2_000n }),
      estimate: fc.bigInt({ min: 850n, max: 1_100n }),
    });
    await fc.assert(
      fc.asyncProperty(worlds, async ({ step, ppm, flat, estimate }) => {
        const output = (input: bigint) =>
          maxAmount((input / step - flat) * step * 1_000_000n - input * ppm, 0n);
        const least = 5_000n * step;
        const { result } = await search(output, {
          ...{ first: (least * estimate) / 1_000n, target: output(least) },
        });
        if (result.kind !== 'found') throw new Error(result.kind);
        expect(output(result.quote)).toBeGreaterThanOrEqual(output(least));
        expect(result.quote).toBeLessThanOrEqual((least * 1_001n) / 1_000n + step);
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds the very least input where single units count', async () => {
    const cents = (input: bigint) => (input * 10n ** 4n * 99n) / 100n;
    const { result } = await search(cents, { first: 2_000n, target: 20_000_000n });
    expect(result).toEqual({ kind: 'found', quote: 2_021n });
  });

  it('raises an input that is too low for any output', async () => {
    const quote = (input: bigint) => (input < 50_000n ? null : input);
    const { result } = await search(quote, { first: 30_000n, target: 100_000n });
    if (result.kind !== 'found') throw new Error(result.kind);
    expect(Number(result.quote)).toBeCloseTo(100_000, -2);
  });

  it('finds no input where the least one yields far more', async () => {
    const quote = (input: bigint) => (input < 50_000n ? null : input);
    const { result } = await search(quote, { first: 10_000n, target: 10_000n });
    expect(result).toEqual({ kind: 'none' });
  });

  it.each([
    ['above the upper bound', 1_000n, { min: 20n, max: 500n }, 500n],
    ['below the lower bound', 10n, { min: 20n, max: 500n }, 20n],
  ])('estimates a needed input %s', async (_, target, bounds, tried) => {
    const o = { first: target, target, bounds };
    const { result, tried: inputs } = await search((input) => input, o);
    expect(inputs).toEqual([tried]);
    if (result.kind !== 'outside') throw new Error(result.kind);
    const { input } = result;
    expect(input < bounds.min || input > bounds.max).toBe(true);
  });

  it('takes an input at a bound that is right', async () => {
    for (const target of [20n, 500n]) {
      const o = { first: target * 3n, target, bounds: { min: 20n, max: 500n } };
      const { result } = await search((input) => input, o);
      expect(result).toEqual({ kind: 'found', quote: target });
    }
  });

  it('ends without an input where no output reaches the target', async () => {
    const { result, tried } = await search(() => 5n, { first: 10n, target: 100n });
    expect(result).toEqual({ kind: 'none' });
    expect(tried).toHaveLength(MAX_ROUNDS);
  });

  it('aims slightly above the target after an input that is too low', async () => {
    const quote = (input: bigint) => (input * 9n) / 10n;
    const { result, tried } = await search(quote, { first: 100_000n, target: 100_000n });
    expect(tried).toEqual([100_000n, 111_124n]);
    expect(result).toEqual({ kind: 'found', quote: 111_124n });
  });

  it.each([
    ['takes an input three basis points above the least one', 10_003n, [10_003n]],
    ['lowers an input four basis points above the least one', 10_004n, [10_004n, 10_002n]],
  ])('%s', async (_, first, expected) => {
    const { tried } = await search((input) => input * 7n, { first, target: 70_000n });
    expect(tried).toEqual(expected);
  });

  it.each([
    ['ends', 999_000n, [999_000n, 1_000_000n]],
    ['does not end', 998_999n, [998_999n, 1_000_000n, 999_001n]],
  ])('%s above an input of %p that is too low', async (_, first, expected) => {
    const quote = (input: bigint) => (input < 1_000_000n ? first : 2_000_000n);
    const { tried } = await search(quote, { first, target: 999_900n });
    expect(tried.slice(0, 3)).toEqual(expected);
  });

  it.each([
    [11n, { kind: 'found', quote: 1_111_112n }],
    [12n, { kind: 'none' }],
  ])('ends with one unit above the target, not two: %p', async (top, expected) => {
    const quote = (input: bigint) => (input < 1_000_000n ? 9n : top);
    const { result, tried } = await search(quote, { first: 500_000n, target: 10n });
    expect(tried).toHaveLength(MAX_ROUNDS);
    expect(result).toEqual(expected);
  });

  it.each([
    ['the upper bound reaches the target', 30_000n],
    ['the lower bound does not', 10_000n],
  ])('searches on between the bounds when %s', async (_, first) => {
    const bounds = { min: 10_000n, max: 30_000n };
    const { result } = await search((input) => input - 999n, { first, target: 19_001n, bounds });
    if (result.kind !== 'found') throw new Error(result.kind);
    expect(Number(result.quote)).toBeCloseTo(20_000, -1.2);
  });
});
