import { describe, expect, it } from '@jest/globals';
import { ParkedKeyCache } from './parked-key-cache.js';

const topic = 'things';
const of = (key: string) => ({ topic, key });

describe('ParkedKeyCache', () => {
  it('prunes keys that are no longer parked, once there are many', async () => {
    const cache = new ParkedKeyCache(2);
    cache.add(of('a'));
    cache.add(of('b'));
    await cache.prune(topic, () => Promise.resolve([]));
    expect(cache.size).toBe(2);
    cache.add(of('c'));
    cache.add({ topic: 'others', key: 'a' });
    await cache.prune(topic, () => Promise.resolve(['c']));
    expect(['a', 'b', 'c'].map((key) => cache.has(of(key)))).toEqual([false, false, true]);
    expect(cache.has({ topic: 'others', key: 'a' })).toBe(true);
  });

  it('keeps a key that is parked again during the query', async () => {
    const cache = new ParkedKeyCache(0);
    cache.add(of('a'));
    await cache.prune(topic, () => {
      cache.add(of('a'));
      return Promise.resolve([]);
    });
    expect(cache.has(of('a'))).toBe(true);
  });
});
