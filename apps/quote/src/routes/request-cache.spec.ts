import { describe, expect, it } from '@jest/globals';
import { RequestCache } from './request-cache.js';

describe('RequestCache', () => {
  it('asks equal questions once, also while in flight, and others anew', async () => {
    const cache = new RequestCache<number>();
    let asked = 0;
    const ask = async () => (asked += 1);
    const answers = [cache.get(['a', 1n], ask), cache.get(['a', 1n], ask)];
    expect(await Promise.all(answers)).toEqual([1, 1]);
    expect(await cache.get(['a', 1n], ask)).toBe(1);
    expect(await cache.get(['a', 2n], ask)).toBe(2);
  });

  it('does not repeat a failed question', async () => {
    const cache = new RequestCache<number>();
    let asked = 0;
    const ask = async (): Promise<number> => {
      asked += 1;
      throw new Error('unavailable');
    };
    for (let time = 0; time < 2; time += 1) {
      await expect(cache.get(['a'], ask)).rejects.toThrow('unavailable');
    }
    expect(asked).toBe(1);
  });
});
