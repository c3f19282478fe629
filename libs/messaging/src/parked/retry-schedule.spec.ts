import { describe, expect, it } from '@jest/globals';
import { nextDelayMs, RETRY_DELAYS_MS } from './retry-schedule.js';

describe('nextDelayMs', () => {
  it('grows, and ends after the last attempt', () => {
    const delays = Array.from({ length: 9 }, (_, attempt) => nextDelayMs(attempt + 1));
    expect(delays).toEqual([
      1_000,
      5_000,
      30_000,
      120_000,
      600_000,
      1_800_000,
      3_600_000,
      null,
      null,
    ]);
    expect([...RETRY_DELAYS_MS].sort((a, b) => a - b)).toEqual(RETRY_DELAYS_MS);
  });
});
