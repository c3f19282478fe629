import { describe, expect, it } from '@jest/globals';
import { newestRise } from './newest-rise.js';

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

describe('the newest rise of a balance', () => {
  it.each([1n, 2n, 7n, 64n, 999_999n])('is found in block %s', async (block) => {
    const { unexplainedAt } = wallet([[block, 5n]]);
    const range = { floor: 0n, height: 1_000_000n, unexplained: 5n };
    expect(await newestRise(unexplainedAt, range)).toEqual({ block, amount: 5n });
  });

  it('is told apart from earlier ones', async () => {
    const { unexplainedAt } = wallet([
      [10n, 5n],
      [12n, 7n],
    ]);
    const range = { floor: 0n, height: 40n, unexplained: 12n };
    expect(await newestRise(unexplainedAt, range)).toEqual({ block: 12n, amount: 7n });
  });

  it('costs twice the logarithm of its depth in reads', async () => {
    const { read, unexplainedAt } = wallet([[1_000_000n - 5_000n, 5n]]);
    await newestRise(unexplainedAt, { floor: 0n, height: 1_000_000n, unexplained: 5n });
    expect(read.length).toBeLessThanOrEqual(2 * 13 + 2);
  });

  it('costs one read in the newest block', async () => {
    const { read, unexplainedAt } = wallet([[100n, 5n]]);
    await newestRise(unexplainedAt, { floor: 0n, height: 100n, unexplained: 5n });
    expect(read).toEqual([99n]);
  });

  it('is missing where all of the money is older than the floor', async () => {
    const { unexplainedAt } = wallet([[10n, 5n]]);
    expect(
      await newestRise(unexplainedAt, { floor: 10n, height: 90n, unexplained: 5n }),
    ).toBeNull();
    expect(
      await newestRise(unexplainedAt, { floor: 90n, height: 90n, unexplained: 5n }),
    ).toBeNull();
  });

  it('is in the oldest block with state where the node has pruned the one before', async () => {
    const { unexplainedAt } = wallet([[10n, 5n]], 50n);
    const range = { floor: 0n, height: 90n, unexplained: 5n };
    expect(await newestRise(unexplainedAt, range)).toEqual({ block: 50n, amount: 5n });
  });
});
