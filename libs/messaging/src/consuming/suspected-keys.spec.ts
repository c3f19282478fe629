import { describe, expect, it } from '@jest/globals';
import { SuspectedKeys } from './suspected-keys.js';

const topic = 'things';
const of = (key: string) => ({ topic, key });

describe('SuspectedKeys', () => {
  it('forgets keys that are parked no more, once there are many', async () => {
    const suspected = new SuspectedKeys(2);
    suspected.add(of('a'));
    suspected.add(of('b'));
    await suspected.forget(topic, () => Promise.resolve([]));
    expect(suspected.size).toBe(2);
    suspected.add(of('c'));
    suspected.add({ topic: 'others', key: 'a' });
    await suspected.forget(topic, () => Promise.resolve(['c']));
    expect(['a', 'b', 'c'].map((key) => suspected.has(of(key)))).toEqual([false, false, true]);
    expect(suspected.has({ topic: 'others', key: 'a' })).toBe(true);
  });

  it('keeps one that is parked again while the database is asked', async () => {
    const suspected = new SuspectedKeys(0);
    suspected.add(of('a'));
    await suspected.forget(topic, () => {
      suspected.add(of('a'));
      return Promise.resolve([]);
    });
    expect(suspected.has(of('a'))).toBe(true);
  });
});
