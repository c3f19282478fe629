import { describe, expect, it } from '@jest/globals';
import { RecentReads } from './recent-reads.js';

describe('recent reads', () => {
  it('are shared while they are in progress, however many there are', async () => {
    const reads = new RecentReads<number, number>(1);
    const made: number[] = [];
    const read = (key: number) => () => {
      made.push(key);
      return Promise.resolve(key);
    };
    const asked = [1, 2, 3, 1, 2, 3].map((key) => reads.get(key, read(key)));
    expect(await Promise.all(asked)).toEqual([1, 2, 3, 1, 2, 3]);
    expect(made).toEqual([1, 2, 3]);
  });

  it('are kept when they are done, the newest only', async () => {
    const reads = new RecentReads<number, number>(2);
    for (const key of [1, 2, 3]) await reads.get(key, () => Promise.resolve(key));
    const again = () => Promise.resolve(0);
    expect(await Promise.all([2, 3, 1].map((key) => reads.get(key, again)))).toEqual([2, 3, 0]);
  });

  it('are made again after a failure', async () => {
    const reads = new RecentReads<number, number>(2);
    await expect(reads.get(1, () => Promise.reject(new Error('no answer')))).rejects.toThrow();
    expect(await reads.get(1, () => Promise.resolve(5))).toBe(5);
  });
});
