import { describe, expect, it } from '@jest/globals';
import { failureDelay } from './failure-delay.js';

const HOUR_MS = 3_600_000;

describe('the delay after a failed transaction', () => {
  it.each([
    [1, 2_000],
    [2, 4_000],
    [11, 2_048_000],
    [12, HOUR_MS],
    [40, HOUR_MS],
    [41, 24 * HOUR_MS],
    [1_000_000, 24 * HOUR_MS],
  ])('after %i of them is %i ms', (attempts, delay) => {
    expect(failureDelay(attempts)).toBe(delay);
  });

  it('allows fewer than 40 claims in a settle window of a day', () => {
    let elapsed = 0;
    let claims = 1;
    while (elapsed + failureDelay(claims) <= 24 * HOUR_MS) {
      elapsed += failureDelay(claims);
      claims += 1;
    }
    expect(claims).toBeLessThan(40);
  });
});
