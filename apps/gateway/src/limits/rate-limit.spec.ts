import { describe, expect, it } from '@jest/globals';
import { affordable, rateLimitHeaders, shareOf, tightest } from './rate-limit.js';
import type { RateLimitState } from './rate-limit.js';

const state: RateLimitState = {
  policy: 'key',
  limit: 10,
  windowSeconds: 60,
  used: 3,
  msUntilReset: 12_345,
  isExceeded: false,
};

describe('a rate limit', () => {
  it('reports the remaining units and the reset', () => {
    expect(rateLimitHeaders(state)).toEqual({
      'ratelimit-policy': '"key";q=10;w=60',
      ratelimit: '"key";r=7;t=13',
    });
    expect(rateLimitHeaders({ ...state, policy: 'client' }).ratelimit).toMatch(/^"client";/);
  });

  it('says when to try again once it is exceeded, with what a cheaper request may still take', () => {
    expect(rateLimitHeaders({ ...state, used: 8, msUntilReset: 1, isExceeded: true })).toEqual({
      'ratelimit-policy': '"key";q=10;w=60',
      ratelimit: '"key";r=2;t=1',
      'retry-after': '1',
    });
  });

  it('is divided among replicas, with at least one unit each', () => {
    expect(shareOf(10, 4)).toBe(2);
    expect(shareOf(3, 8)).toBe(1);
    expect(shareOf(10, 0)).toBe(10);
  });

  it('fits an expensive request into an unused window, however small', () => {
    const budget = { policy: 'key' as const, counter: 'a', limit: 3, cost: 5 };
    expect(affordable(budget).cost).toBe(3);
    expect(affordable({ ...budget, limit: 100 }).cost).toBe(5);
  });
});

describe('the limit that is reported', () => {
  const wide: RateLimitState = { ...state, policy: 'organisation', limit: 100 };

  it('is the one with the least remaining units, the narrowest of equals', () => {
    expect(tightest(state, wide)).toBe(state);
    expect(tightest(state, { ...wide, used: 94 })).toMatchObject({ policy: 'organisation' });
    expect(tightest(state, { ...wide, used: 93 })).toBe(state);
  });

  it('is the exceeded one', () => {
    const exceeded = { ...wide, used: 96, isExceeded: true };
    expect(tightest({ ...state, used: 10 }, exceeded)).toBe(exceeded);
    expect(tightest(exceeded, { ...state, used: 10 })).toBe(exceeded);
  });
});
