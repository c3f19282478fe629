import { ServiceContext } from '@bascule/process';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RatingsCache } from './ratings-cache.js';
import type { VenueRating } from './venue-rating.js';

const rated = (shortfallPpm: bigint): VenueRating[] => [
  { chain: 'base', venue: 'liar', conversions: 9, shortfallPpm, measuredAt: new Date() },
];

function cacheOf(stored: { current: VenueRating[] | Error }) {
  const context = new ServiceContext({ name: 'test', environment: 'test', logLevel: 'silent' });
  const warn = jest.spyOn(context.logger, 'warn').mockReturnValue(undefined);
  const read = jest.fn(() =>
    stored.current instanceof Error
      ? Promise.reject(stored.current)
      : Promise.resolve(stored.current),
  );
  const cache = new RatingsCache(read, context);
  const shortfall = async () => (await cache.shortfallsOn('base'))('liar');
  return { shortfall, read, warn };
}

describe('RatingsCache', () => {
  /** The cache keeps the object `performance` of its start, which fake timers would replace. */
  const wait = async (ms: number) => {
    const later = performance.now() + ms;
    jest.spyOn(performance, 'now').mockReturnValue(later);
    await jest.advanceTimersByTimeAsync(ms);
  };
  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    await wait(0);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('reads once a second for all legs', async () => {
    const stored = { current: rated(3_000n) };
    const { shortfall, read } = cacheOf(stored);
    expect(await Promise.all([shortfall(), shortfall()])).toEqual([3_000n, 3_000n]);
    stored.current = rated(0n);
    await wait(999);
    expect(await shortfall()).toBe(3_000n);
    expect(read).toHaveBeenCalledTimes(1);
    await wait(2);
    expect(await shortfall()).toBe(0n);
  });

  it('returns the last ratings where the database does not answer, and none where none were read', async () => {
    const stored: { current: VenueRating[] | Error } = { current: new Error('refused') };
    const { shortfall, warn } = cacheOf(stored);
    expect(await shortfall()).toBe(0n);
    expect(warn).toHaveBeenCalledTimes(1);
    stored.current = rated(3_000n);
    expect(await shortfall()).toBe(3_000n);
    stored.current = new Error('refused');
    await wait(60_000);
    expect(await shortfall()).toBe(3_000n);
  });
});
