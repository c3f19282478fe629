import { describe, expect, it } from '@jest/globals';
import { searchInput } from './input-search.js';

/** A market of a constant product, with a fee of 0.3 %. */
const outputOf = (amountIn: bigint, [ours, theirs]: [bigint, bigint]): bigint => {
  const afterFee = amountIn * 997n;
  return (afterFee * theirs) / (ours * 1_000n + afterFee);
};
const POOL: [bigint, bigint] = [10n ** 24n, 3n * 10n ** 15n];

describe('searchInput', () => {
  const search = async (wanted: bigint, missing = 0n) => {
    const asked: bigint[] = [];
    const found = await searchInput(wanted, {
      backwards: async () => outputOf(wanted, [POOL[1], POOL[0]]),
      forwards: async (amountIn) => {
        asked.push(amountIn);
        const amountOut = outputOf(amountIn, POOL);
        return { amountOut, proof: async () => ({ amountIn, amountOut: amountOut - missing }) };
      },
    });
    return { found, asked };
  };

  it.each([1_000n, 10n ** 6n, 10n ** 12n, 15n * 10n ** 13n])(
    'finds an input for %s that is hardly above the least one',
    async (wanted) => {
      const { found, asked } = await search(wanted);
      expect(asked.length).toBeLessThanOrEqual(3);
      expect(found?.amountOut).toBeGreaterThanOrEqual(wanted);
      expect(outputOf(((found?.amountIn ?? 0n) * 998n) / 1_000n, POOL)).toBeLessThan(wanted);
    },
  );

  it('corrects the input by what a simulation pays, not by what was told', async () => {
    const { found } = await search(10n ** 9n, 10n ** 6n);
    expect(found?.amountOut).toBeGreaterThanOrEqual(10n ** 9n);
  });

  it('ends without an input where none suffices', async () => {
    const { found, asked } = await search(10n ** 9n, 10n ** 9n);
    expect(found).toBeNull();
    expect(asked.length).toBeLessThanOrEqual(3);
  });

  it('ends where there is no route in one of the directions, or no output', async () => {
    const tried = async () => ({ amountOut: 0n, proof: async () => ({ amountOut: 9n }) });
    const none = async () => null;
    expect(await searchInput(1n, { backwards: none, forwards: tried })).toBeNull();
    expect(await searchInput(1n, { backwards: async () => 1n, forwards: none })).toBeNull();
    expect(await searchInput(1n, { backwards: async () => 1n, forwards: tried })).toBeNull();
    expect(await searchInput(1n, { backwards: async () => 0n, forwards: tried })).toBeNull();
  });

  it('takes a revert in the simulation for an output that is too low', async () => {
    let asked = 0;
    const found = await searchInput(5n, {
      backwards: async () => 5n,
      forwards: async (amountIn) => {
        asked += 1;
        return { amountOut: amountIn, proof: async () => null };
      },
    });
    expect([found, asked]).toEqual([null, 3]);
  });
});
