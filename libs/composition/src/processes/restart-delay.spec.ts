import { describe, expect, it } from '@jest/globals';
import { restartDelayMs } from './restart-delay.js';

describe('the delay before a process is restarted', () => {
  it.each([
    [1, 250],
    [2, 500],
    [3, 1_000],
    [6, 8_000],
    [7, 10_000],
    [1_000, 10_000],
  ])('after %i failures in a row is %i ms', (failures, ms) => {
    expect(restartDelayMs(failures)).toBe(ms);
  });
});
