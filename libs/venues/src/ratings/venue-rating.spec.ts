import { describe, expect, it } from '@jest/globals';
import { shortfallsOn } from './venue-rating.js';
import type { VenueRating } from './venue-rating.js';

const NOW = new Date('2026-11-29T12:00:00Z');
const DAY_MS = 86_400_000;

const rating = (over: Partial<VenueRating> = {}): VenueRating => ({
  ...{ chain: 'base', venue: 'liar', conversions: 5, shortfallPpm: 3_000n, measuredAt: NOW },
  ...over,
});
const shortfall = (over: Partial<VenueRating>, chain = 'base') =>
  shortfallsOn(chain, [rating(over)], NOW)('liar');

describe('the shortfall of a venue', () => {
  it('counts from five conversions on', () => {
    expect(shortfall({ conversions: 4 })).toBe(0n);
    expect(shortfall({ conversions: 5 })).toBe(3_000n);
  });

  it('counts for a day after its last measurement', () => {
    const measuredAt = (age: number) => new Date(NOW.getTime() - age);
    expect(shortfall({ measuredAt: measuredAt(DAY_MS - 1) })).toBe(3_000n);
    expect(shortfall({ measuredAt: measuredAt(DAY_MS) })).toBe(0n);
  });

  it('counts on its own chain alone', () => {
    expect(shortfall({}, 'polygon')).toBe(0n);
  });

  it('is zero for a venue without a rating', () => {
    expect(shortfallsOn('base', [rating()], NOW)('honest')).toBe(0n);
  });
});
