import { describe, expect, it } from '@jest/globals';
import { untilExpiryCheck } from './next-check.js';

const expiresAt = new Date('2026-01-01T00:30:00Z');
const HALF_AN_HOUR = 1_800_000;

describe('the next check of a withdrawal that only others can submit', () => {
  it.each([
    ['at the request: once its expiry is final', -HALF_AN_HOUR, HALF_AN_HOUR + 20_000],
    ['until then', 5_000, 15_000],
    ['then, after the shortest pause', 20_000, 30_000],
    ['later, after as long again', 60_000, 60_000],
    ['on a chain without blocks, every five minutes', 86_400_000, 300_000],
  ])('is %s', (_when, past, expected) => {
    const now = new Date(expiresAt.getTime() + past);
    const next = untilExpiryCheck({ expiresAt, now, finalityMs: 20_000, minMs: 30_000 });
    expect(next).toBe(expected);
  });
});
