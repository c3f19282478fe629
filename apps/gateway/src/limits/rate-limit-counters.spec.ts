import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RateLimitCountersClient } from './rate-limit-counters.client.js';

const WITHOUT_REDIS = { redis: undefined, windowSeconds: 3, replicas: 1 };

describe('counters without Redis', () => {
  let counters: RateLimitCountersClient;
  beforeEach(() => {
    jest.useFakeTimers();
    counters = new RateLimitCountersClient(WITHOUT_REDIS, { warn: jest.fn() });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const take = async (counter: string, cost = 1, limit = 10) => {
    const { counts, exceeded } = await counters.take([{ policy: 'key', counter, limit, cost }]);
    return { ...counts[0], isExceeded: exceeded === 0 };
  };
  const used = async (counter: string) => (await take(counter)).used;

  it('count each key, and reset with the next window', async () => {
    expect([await used('a'), await used('a'), await used('b')]).toEqual([1, 2, 1]);
    jest.advanceTimersByTime(2_999);
    expect(await take('a')).toEqual({ used: 3, msUntilReset: 1, isExceeded: false });
    jest.advanceTimersByTime(1);
    expect(await take('a')).toEqual({ used: 1, msUntilReset: 3_000, isExceeded: false });
  });

  it('refuse what does not fit, and still admit what does', async () => {
    expect(await take('a', 8)).toMatchObject({ used: 8, isExceeded: false });
    expect(await take('a', 5)).toMatchObject({ used: 8, isExceeded: true });
    expect(await take('a', 2)).toMatchObject({ used: 10, isExceeded: false });
    expect(await take('a', 1)).toMatchObject({ used: 10, isExceeded: true });
  });

  it('charge none of several budgets when one is exceeded', async () => {
    const both = (limit: number) =>
      counters.take([
        { policy: 'key', counter: 'wide', limit: 10, cost: 1 },
        { policy: 'organisation', counter: 'narrow', limit, cost: 1 },
      ]);
    expect((await both(1)).exceeded).toBe(-1);
    expect((await both(1)).exceeded).toBe(1);
    expect((await both(1)).counts.map((count) => count.used)).toEqual([1, 1]);
  });

  it('apply the share of one replica', async () => {
    const shared = new RateLimitCountersClient(
      { ...WITHOUT_REDIS, replicas: 4 },
      { warn: jest.fn() },
    );
    const budget = { policy: 'key' as const, counter: 'a', limit: 8, cost: 5 };
    const first = await shared.take([budget]);
    expect(first).toMatchObject({
      exceeded: -1,
      isShared: false,
      budgets: [{ limit: 2, cost: 2 }],
    });
    expect((await shared.take([budget])).exceeded).toBe(0);
  });

  it('forget the oldest addresses of a flood, and no key', async () => {
    const address = async (each: number) => {
      const counter = `address ${each}`;
      const budget = { policy: 'client' as const, counter, limit: 10, cost: 1 };
      return (await counters.take([budget])).counts[0]?.used;
    };
    expect(await used('key')).toBe(1);
    for (let each = 0; each < 150_000; each += 1) await address(each);
    expect([await address(0), await address(149_999)]).toEqual([1, 2]);
    expect(await used('key')).toBe(2);
  });
});
