import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { BatchedWritesRepository } from './batched-writes.repository.js';

const DAY_MS = 86_400_000;

/** Writes doubles; 13 is at fault. */
function doubling(fails: (items: readonly number[]) => Error | null = faultOf13) {
  const batches: number[][] = [];
  const writes = new BatchedWritesRepository<number, number>(5, async (items) => {
    batches.push([...items]);
    const error = fails(items);
    if (error !== null) throw error;
    return items.map((item) => item * 2);
  });
  return { batches, add: (item: number) => writes.add(item) };
}
const faultOf13 = (items: readonly number[]): Error | null =>
  items.includes(13) ? new Error('13') : null;

describe('batched writes', () => {
  it('combine concurrent items, each with its own outcome', async () => {
    const { batches, add } = doubling();
    expect(await Promise.all([1, 2, 3].map(add))).toEqual([2, 4, 6]);
    expect(await add(4)).toBe(8);
    expect(batches).toEqual([[1, 2, 3], [4]]);
  });

  it('start at once after a pause, and otherwise at the pace', async () => {
    const batches: number[][] = [];
    const pauses: number[] = [];
    const { promise: over, resolve: endPause } = Promise.withResolvers<undefined>();
    const writes = new BatchedWritesRepository<number, undefined>(
      DAY_MS,
      (items) => {
        batches.push([...items]);
        return Promise.resolve(items.map(() => undefined));
      },
      (ms) => {
        pauses.push(ms);
        return over;
      },
    );
    await writes.add(1);
    expect({ batches, pauses }).toEqual({ batches: [[1]], pauses: [] });
    const later = [writes.add(2)];
    await setImmediate();
    later.push(writes.add(3));
    await setImmediate();
    expect(batches).toEqual([[1]]);
    endPause(undefined);
    await Promise.all(later);
    expect(batches).toEqual([[1], [2, 3]]);
    expect(pauses).toEqual([expect.any(Number)]);
    expect(pauses[0]).toBeGreaterThan(0);
    expect(pauses[0]).toBeLessThanOrEqual(DAY_MS);
  });

  it('fail only the faulty item', async () => {
    const { batches, add } = doubling();
    const results = await Promise.allSettled([1, 13, 3].map(add));
    expect(results).toEqual([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: new Error('13') },
      { status: 'fulfilled', value: 6 },
    ]);
    expect(batches).toEqual([[1, 13, 3], [1], [13], [3]]);
  });

  it('fail together and at once while the database is unavailable', async () => {
    const away = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const { batches, add } = doubling(() => away);
    const results = await Promise.allSettled([1, 2].map(add));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(batches).toEqual([[1, 2]]);
  });
});
