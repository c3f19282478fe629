import { describe, expect, it } from '@jest/globals';
import { afterDrops } from './leg-schedule.js';

describe('a leg', () => {
  it('is tried ever more rarely after dropped transactions, minutes apart in the end', () => {
    const delays = [1, 2, 3, 8, 9, 1_000].map((transactions) => afterDrops(transactions, 2_000));
    expect(delays).toEqual([2_000, 4_000, 8_000, 240_000, 240_000, 240_000]);
  });
});
