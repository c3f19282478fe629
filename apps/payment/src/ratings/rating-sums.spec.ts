import { describe, expect, it } from '@jest/globals';
import { addSums, meanShortfall } from './rating-sums.js';

const NOW = new Date('2026-11-29T12:00:00Z');
const DAY_MS = 86_400_000;
const sums = (conversions: number, shortfallSumPpm: bigint) => ({ conversions, shortfallSumPpm });
const before = (conversions: number, shortfallSumPpm: bigint, ageMs = 1_000) => ({
  ...sums(conversions, shortfallSumPpm),
  measuredAt: new Date(NOW.getTime() - ageMs),
});

describe('a rating', () => {
  it('adds up its conversions and their shortfalls', () => {
    expect(addSums(before(3, 900n), sums(2, -100n), NOW)).toEqual(sums(5, 800n));
    expect(addSums(before(63, 630n), sums(1, 10n), NOW)).toEqual(sums(64, 640n));
  });

  it('is halved above 64 conversions, so that a venue that became honest soon is', () => {
    expect(addSums(before(64, 192_000n), sums(1, 0n), NOW)).toEqual(sums(32, 96_000n));
    expect(addSums(before(64, 192_000n), sums(256, 0n), NOW)).toEqual(sums(40, 24_000n));
  });

  it('starts afresh a day after its last measurement', () => {
    expect(addSums(before(64, 192_000n, DAY_MS - 1), sums(0, 0n), NOW)).toEqual(sums(64, 192_000n));
    expect(addSums(before(64, 192_000n, DAY_MS), sums(1, 7n), NOW)).toEqual(sums(1, 7n));
  });

  it('is the mean of its shortfalls, and zero where more arrived than was quoted', () => {
    expect(meanShortfall(sums(5, 15_000n))).toBe(3_000n);
    expect(meanShortfall(sums(5, 15_001n))).toBe(3_001n);
    expect(meanShortfall(sums(5, -15_000n))).toBe(0n);
    expect(meanShortfall(sums(0, 0n))).toBe(0n);
  });
});
