import { MAX_UINT256 } from '@bascule/amounts';
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
  it('exceeds an output of few units by at most one of them', async () => {
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
        expect(output(result.quote)).toBeLessThanOrEqual(target + (target * 3n) / 10_000n + 1n);
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
});
