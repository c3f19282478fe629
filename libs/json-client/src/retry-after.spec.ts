import { describe, expect, it } from '@jest/globals';
import { retryAfterMs } from './retry-after.js';

const now = new Date('2026-01-01T00:00:00Z');

describe('retryAfterMs', () => {
  it.each([
    ['30', 30_000],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['99999999', 3_600_000],
    ['soon', 60_000],
    ['', 60_000],
    [undefined, 60_000],
  ])('reads %j as %d ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
