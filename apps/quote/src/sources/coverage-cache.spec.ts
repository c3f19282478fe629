import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RouteFailure } from '../routes/route-failure.js';
import { CoverageCache } from './coverage-cache.js';

const TTL_MS = 1_000;

describe('CoverageCache', () => {
  let now: number;
  let fetched: string[];
  /** Next response of each source. */
  let responses: Record<string, () => Promise<string>>;
  let isOutdated: boolean;
  let cache: CoverageCache<string>;

  const createCache = (...sources: string[]): CoverageCache<string> =>
    new CoverageCache({
      sources,
      fetch: async (source) => {
        fetched.push(source);
        return (responses[source] ?? (() => Promise.reject(new Error('unknown'))))();
      },
      toFailure: (source) => new RouteFailure([source], []),
      ttlMs: TTL_MS,
      isOutdated: (_, coverage) => isOutdated && coverage === 'a',
    });

  beforeEach(() => {
    now = 1_700_000_000_000;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    fetched = [];
    isOutdated = false;
    responses = { one: async () => 'a', two: async () => 'b' };
    cache = createCache('one', 'two');
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Keeps the next response of a source in flight until the test settles it. */
  const holdResponse = (source: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    responses[source] = () => promise;
    return { respond: resolve, fail: () => reject(new Error('down')) };
  };
  const failAlways = (source: string) => {
    responses[source] = () => Promise.reject(new Error('down'));
  };
  const failTwice = async (source: string) => {
    failAlways(source);
    for (const _ of [1, 2]) await expect(cache.refresh(source)).rejects.toThrow();
  };
  const entries = async (...sources: string[]) => (await cache.get(sources)).entries;
  const cached = async () => (await cache.getCached()).entries;

  it('fetches requested sources once within their TTL', async () => {
    expect(await entries('one')).toEqual(['a']);
    now += TTL_MS;
    expect(await entries('one', 'two')).toEqual(['a', 'b']);
    expect(fetched).toEqual(['one', 'two']);
  });

  it('returns all cached coverage, whichever sources are requested', async () => {
    await cache.get(['one']);
    expect(await entries()).toEqual(['a']);
  });

  it('shares a fetch in flight', async () => {
    await Promise.all([cache.get(['one']), cache.get(['one'])]);
    expect(fetched).toEqual(['one']);
  });

  it('returns stale coverage while it revalidates', async () => {
    await cache.get(['one']);
    now += TTL_MS + 1;
    const { respond } = holdResponse('one');
    expect(await entries('one')).toEqual(['a']);
    respond('new');
    await cache.refresh('one');
    expect(fetched).toEqual(['one', 'one']);
    expect(await entries('one')).toEqual(['new']);
  });

  it('returns the same array until the coverage of a source changes', async () => {
    const first = await entries('one', 'two');
    now += TTL_MS + 1;
    await Promise.all([cache.refresh('one'), cache.refresh('two')]);
    expect(fetched).toHaveLength(4);
    expect(await entries('one', 'two')).toBe(first);
    responses['two'] = async () => 'new';
    await cache.refresh('two');
    expect(await entries('one', 'two')).toEqual(['a', 'new']);
    expect(first).toEqual(['a', 'b']);
  });

  it('returns stale coverage of a failing source for a limited time', async () => {
    await cache.get(['one']);
    failAlways('one');
    now += TTL_MS * 10;
    expect(await cache.get(['one'])).toMatchObject({ entries: ['a'], failures: [] });
    now += 1;
    const { entries: left, failures } = await cache.get(['one', 'two']);
    expect(left).toEqual(['b']);
    expect(failures.map(({ failure }) => failure.serviceIds)).toEqual([['one']]);
  });

  it('keeps stale coverage of sources that are not requested', async () => {
    await cache.get(['one', 'two']);
    now += TTL_MS * 10 + 1;
    const { entries: all, availableSources } = await cache.get(['two']);
    expect(all).toEqual(['a', 'b']);
    expect([...availableSources]).toEqual(['one', 'two']);
  });

  it('reports a failure beside the coverage of other sources', async () => {
    cache = createCache('unknown', 'two');
    const { entries: found, failures } = await cache.get(['unknown', 'two']);
    expect(found).toEqual(['b']);
    expect(failures.map(({ failure }) => failure.serviceIds)).toEqual([['unknown']]);
  });

  describe('circuit breaker', () => {
    it.each([
      ['ten times the duration of the failure', 200, 2_000],
      ['at most five seconds', 3_000, 5_000],
    ])('reports the last failure without a request for %s', async (_, latencyMs, backoffMs) => {
      responses['one'] = async () => {
        now += latencyMs;
        throw new Error('down');
      };
      const { failures } = await cache.get(['one']);
      expect(failures).toEqual([{ failure: expect.any(RouteFailure), latencyMs }]);
      now += backoffMs - 1;
      expect((await cache.get(['one'])).failures).toEqual(failures);
      expect(fetched).toEqual(['one']);
      now += 1;
      responses['one'] = async () => 'a';
      expect(await entries('one')).toEqual(['a']);
    });

    it('does not affect other sources', async () => {
      responses['one'] = async () => {
        now += 100;
        throw new Error('down');
      };
      await cache.get(['one']);
      expect(await entries('two')).toEqual(['b']);
    });
  });

  describe('getCached', () => {
    it('waits for sources without coverage, but not for failing ones', async () => {
      failAlways('two');
      expect(await cached()).toEqual(['a']);
      responses['two'] = () => new Promise(() => undefined);
      now += TTL_MS;
      expect(await cached()).toEqual(['a']);
      expect(fetched).toEqual(['one', 'two', 'two']);
    });

    it('drops a source after two consecutive failures until it responds', async () => {
      await cache.getCached();
      failAlways('one');
      await expect(cache.refresh('one')).rejects.toThrow();
      const { respond } = holdResponse('one');
      expect(await cached()).toEqual(['a', 'b']);
      respond('a');
      await cache.refresh('one');
      await failTwice('one');
      const back = holdResponse('one');
      expect(await cached()).toEqual(['b']);
      back.respond('a');
      await cache.refresh('one');
      expect(await cached()).toEqual(['a', 'b']);
    });

    it('lists the available sources, in get as well', async () => {
      const { availableSources } = await cache.getCached();
      expect([...availableSources]).toEqual(['one', 'two']);
      await failTwice('one');
      const { entries: all, availableSources: left } = await cache.get(['two']);
      expect(all).toEqual(['a', 'b']);
      expect([...left]).toEqual(['two']);
      expect((await cache.getCached()).availableSources).toEqual(left);
    });

    it('fetches unavailable sources again within their TTL', async () => {
      cache = createCache('one');
      await cache.getCached();
      const { fail } = holdResponse('one');
      cache.recheck('one');
      fail();
      await expect(cache.refresh('one')).rejects.toThrow();
      const { respond } = holdResponse('one');
      expect(await cached()).toEqual([]);
      respond('back');
      await cache.refresh('one');
      expect(await cached()).toEqual(['back']);
      expect(fetched).toEqual(['one', 'one', 'one']);
    });

    it('adds a source once it responds', async () => {
      cache = createCache('one');
      failAlways('one');
      expect(await cached()).toEqual([]);
      responses['one'] = async () => 'back';
      await cache.refresh('one');
      expect(await cached()).toEqual(['back']);
    });

    it('waits for a source whose coverage is too stale', async () => {
      cache = createCache('one');
      await cache.getCached();
      responses['one'] = async () => 'new';
      now += TTL_MS * 10 + 1;
      expect(await cached()).toEqual(['new']);
    });

    it('drops coverage that is too stale at the first failure', async () => {
      await cache.getCached();
      now += TTL_MS * 10;
      await cache.refresh('two');
      const { fail } = holdResponse('one');
      expect(await cached()).toEqual(['a', 'b']);
      now += 1;
      const left = cached();
      fail();
      expect(await left).toEqual(['b']);
      expect(fetched).toEqual(['one', 'two', 'two', 'one']);
    });
  });

  describe('recheck', () => {
    it('marks a source unavailable when it fails again, and then backs off', async () => {
      await cache.getCached();
      const { fail } = holdResponse('one');
      cache.recheck('one');
      expect(await cached()).toEqual(['a', 'b']);
      now += 1;
      fail();
      await expect(cache.refresh('one')).rejects.toThrow();
      expect(await cached()).toEqual(['b']);
      cache.recheck('one');
      expect(fetched).toEqual(['one', 'two', 'one']);
    });

    it('keeps a responding source after any number of re-checks', async () => {
      await cache.getCached();
      const { respond } = holdResponse('one');
      for (const _ of [1, 2, 3]) cache.recheck('one');
      expect(fetched).toEqual(['one', 'two', 'one']);
      respond('a');
      await cache.refresh('one');
      cache.recheck('one');
      expect(await cached()).toEqual(['a', 'b']);
    });
  });

  describe('outdated coverage', () => {
    it('is fetched again before get returns', async () => {
      await cache.get(['one']);
      isOutdated = true;
      responses['one'] = async () => 'new';
      expect(await entries('one')).toEqual(['new']);
      expect(fetched).toEqual(['one', 'one']);
    });

    it('is fetched again in the background by getCached', async () => {
      cache = createCache('one');
      await cache.getCached();
      isOutdated = true;
      const { respond } = holdResponse('one');
      expect(await cached()).toEqual(['a']);
      expect(fetched).toEqual(['one', 'one']);
      respond('new');
      await cache.refresh('one');
      expect(await cached()).toEqual(['new']);
    });

    it('serves while the source fails', async () => {
      await cache.get(['one']);
      isOutdated = true;
      failAlways('one');
      expect(await cache.get(['one'])).toMatchObject({ entries: ['a'], failures: [] });
    });
  });
});
