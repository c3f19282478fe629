import { describe, expect, it } from '@jest/globals';
import { isExceeded, rateLimitHeaders, shareOf } from './rate-limit.js';
import type { RateLimitState } from './rate-limit.js';

const state: RateLimitState = {
  policy: 'key',
  limit: 10,
  windowSeconds: 60,
  used: 3,
  msUntilReset: 12_345,
};

describe('a rate limit', () => {
  it('reports the remaining requests and the reset', () => {
    expect(rateLimitHeaders(state)).toEqual({
      'ratelimit-policy': '"key";q=10;w=60',
      ratelimit: '"key";r=7;t=13',
    });
    expect(rateLimitHeaders({ ...state, policy: 'client' }).ratelimit).toMatch(/^"client";/);
  });

  it('is reached with the last request and exceeded with the next', () => {
    expect(isExceeded({ ...state, used: 10 })).toBe(false);
    expect(isExceeded({ ...state, used: 11 })).toBe(true);
    expect(rateLimitHeaders({ ...state, used: 11, msUntilReset: 1 })).toEqual({
      'ratelimit-policy': '"key";q=10;w=60',
      ratelimit: '"key";r=0;t=1',
      'retry-after': '1',
    });
  });

  it('is divided among replicas, with at least one request each', () => {
    expect(shareOf(10, 4)).toBe(2);
    expect(shareOf(3, 8)).toBe(1);
    expect(shareOf(10, 0)).toBe(10);
  });
});
