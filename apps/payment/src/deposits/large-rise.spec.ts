import { describe, expect, it } from '@jest/globals';
import { seededNumbers } from '@bascule/testing';
import { largeRise } from './large-rise.js';

/** Unexplained balance of a wallet to which money came in these blocks. */
function wallet(arrivals: readonly (readonly [block: bigint, amount: bigint])[], prunedBelow = 0n) {
  const read: bigint[] = [];
  const unexplainedAt = (height: bigint): Promise<bigint | null> => {
    read.push(height);
    if (height < prunedBelow) return Promise.resolve(null);
    const arrived = arrivals.filter(([block]) => block <= height);
    return Promise.resolve(arrived.reduce((sum, [, amount]) => sum + amount, 0n));
  };
  return { read, unexplainedAt };
}

describe('a large rise of a balance', () => {
  it.each([1n, 2n, 7n, 64n, 999_999n])('is found in block %s', async (block) => {
    const { unexplainedAt } = wallet([[block, 5n]]);
    const range = { floor: 0n, height: 1_000_000n, unexplained: 5n };
    expect(await largeRise(unexplainedAt, range)).toEqual({ block, amount: 5n, isExact: true });
  });

  it('is told apart from smaller ones', async () => {
    const { unexplainedAt } = wallet([
      [10n, 5n],
      [12n, 7n],
    ]);
    const range = { floor: 0n, height: 40n, unexplained: 12n };
    expect(await largeRise(unexplainedAt, range)).toEqual({
      block: 12n,
      amount: 7n,
      isExact: true,
    });
  });

  it('is found first under a thousand newer ones of one unit', async () => {
    const dust = Array.from({ length: 1_000 }, (_, index) => [1_000n + BigInt(index), 1n] as const);
    const { read, unexplainedAt } = wallet([[7n, 2_000n], ...dust]);
    const range = { floor: 0n, height: 2_000n, unexplained: 3_000n };
    expect(await largeRise(unexplainedAt, range)).toEqual({
      block: 7n,
      amount: 2_000n,
      isExact: true,
    });
    expect(read.length).toBeLessThanOrEqual(2 * 11 + 2);
  });

  it.each([
    [100n, 5n],
    [5n, 100n],
  ])('is found above the floor where %s came, and %s before', async (amount, atFloor) => {
    const { unexplainedAt } = wallet([
      [10n, atFloor],
      [60n, amount],
    ]);
    const range = { floor: 20n, height: 90n, unexplained: atFloor + amount };
    expect(await largeRise(unexplainedAt, range)).toEqual({ block: 60n, amount, isExact: true });
  });

  it('is found in turn until nothing is left, whatever came in which block', async () => {
    const numbers = seededNumbers(7);
    const arrivals = Array.from({ length: 40 }, (): [bigint, bigint] => [
      BigInt(1 + Math.floor(numbers() * 500)),
      BigInt(1 + Math.floor(numbers() * 1_000)),
    ]);
    const found = new Map<bigint, bigint>();
    const { unexplainedAt } = wallet(arrivals);
    const explainedAt = (height: bigint) =>
      [...found].reduce((sum, [block, amount]) => (block <= height ? sum + amount : sum), 0n);
    const left = async (height: bigint) =>
      ((await unexplainedAt(height)) ?? 0n) - explainedAt(height);
    for (let rest = await left(500n); rest > 0n; rest = await left(500n)) {
      const rise = await largeRise(left, { floor: 0n, height: 500n, unexplained: rest });
      if (rise === null) throw new Error('a rise is missing');
      expect(found.has(rise.block)).toBe(false);
      found.set(rise.block, rise.amount);
    }
    const expected = new Map<bigint, bigint>();
    for (const [block, amount] of arrivals) {
      expected.set(block, (expected.get(block) ?? 0n) + amount);
    }
    const sorted = (map: Map<bigint, bigint>) => [...map].toSorted(([a], [b]) => Number(a - b));
    expect(sorted(found)).toEqual(sorted(expected));
  });

  it('costs twice the logarithm of its depth in reads', async () => {
    const { read, unexplainedAt } = wallet([[1_000_000n - 5_000n, 5n]]);
    await largeRise(unexplainedAt, { floor: 0n, height: 1_000_000n, unexplained: 5n });
    expect(read.length).toBeLessThanOrEqual(2 * 13 + 2);
  });

  it('costs one read in the newest block', async () => {
    const { read, unexplainedAt } = wallet([[100n, 5n]]);
    await largeRise(unexplainedAt, { floor: 0n, height: 100n, unexplained: 5n });
    expect(read).toEqual([99n]);
  });

  it('is missing where all of the money is older than the floor', async () => {
    const { unexplainedAt } = wallet([[10n, 5n]]);
    expect(await largeRise(unexplainedAt, { floor: 10n, height: 90n, unexplained: 5n })).toBeNull();
    expect(await largeRise(unexplainedAt, { floor: 90n, height: 90n, unexplained: 5n })).toBeNull();
  });

  it('is in the oldest block with state where the node has pruned the one before', async () => {
    const { unexplainedAt } = wallet([[10n, 5n]], 50n);
    const range = { floor: 0n, height: 90n, unexplained: 5n };
    expect(await largeRise(unexplainedAt, range)).toMatchObject({ block: 50n, isExact: false });
  });
});
