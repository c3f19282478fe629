import { describe, expect, it } from '@jest/globals';
import { meanOfWindow } from './mean-of-window.js';

describe('meanOfWindow', () => {
  it('is the mean tick, rounded down', () => {
    expect(meanOfWindow({ tickCumulatives: [1_000n, 1_000n + 17_995n] }, 1_800)).toBe(9);
    expect(meanOfWindow({ tickCumulatives: [0n, -17_995n] }, 1_800)).toBe(-10);
    expect(meanOfWindow({ tickCumulatives: [7n, 7n] }, 1_800)).toBe(0);
  });

  it.each([
    ['are too few', [0n]],
    ['are beyond the highest tick', [0n, 1_800n * 900_000n]],
  ])('is null when observations %s', (_, tickCumulatives) => {
    expect(meanOfWindow({ tickCumulatives }, 1_800)).toBeNull();
  });
});
