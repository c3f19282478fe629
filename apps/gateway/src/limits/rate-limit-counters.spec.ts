import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RateLimitCountersClient } from './rate-limit-counters.client.js';

describe('counters without Redis', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('count each key, and reset with the next window', async () => {
    const config = { redis: undefined, windowSeconds: 3 };
    const counters = new RateLimitCountersClient(config, { warn: jest.fn() });
    const used = async (key: string): Promise<number> => (await counters.count(key)).used;
    expect([await used('a'), await used('a'), await used('b')]).toEqual([1, 2, 1]);
    jest.advanceTimersByTime(2_999);
    expect(await counters.count('a')).toMatchObject({ used: 3, isShared: false });
    jest.advanceTimersByTime(2);
    expect(await counters.count('a')).toEqual({ used: 1, msUntilReset: 3_000, isShared: false });
  });
});
