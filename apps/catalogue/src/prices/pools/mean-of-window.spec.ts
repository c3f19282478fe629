import { describe, expect, it } from '@jest/globals';
import { meanOfWindow } from './mean-of-window.js';

const LIQUIDITY = 10n ** 18n;
/** How the pool's sum grows in so many seconds with so much liquidity. */
const shares = (seconds: bigint, liquidity = LIQUIDITY): bigint => (seconds << 128n) / liquidity;

describe('meanOfWindow', () => {
  it('has the mean tick, rounded down, and the mean liquidity', () => {
    const mean = meanOfWindow(
      {
        tickCumulatives: [1_000n, 1_000n + 17_995n],
        secondsPerLiquidityCumulativeX128s: [7n, 7n + shares(1_800n)],
      },
      1_800,
    );
    expect(mean?.tick).toBe(9);
    const down = meanOfWindow(
      { tickCumulatives: [0n, -17_995n], secondsPerLiquidityCumulativeX128s: [0n, shares(1_800n)] },
      1_800,
    );
    expect(down?.tick).toBe(-10);
    expect(Number(mean?.liquidity) / Number(LIQUIDITY)).toBeCloseTo(1, 6);
  });

  it('hardly counts liquidity that was there for a moment only', () => {
    const mean = meanOfWindow(
      {
        tickCumulatives: [0n, 0n],
        secondsPerLiquidityCumulativeX128s: [
          0n,
          shares(1_788n) + shares(12n, 1_000_000n * LIQUIDITY),
        ],
      },
      1_800,
    );
    expect(Number(mean?.liquidity) / Number(LIQUIDITY)).toBeLessThan(1.01);
  });

  it('goes on when the pool’s sum wraps around', () => {
    const mean = meanOfWindow(
      {
        tickCumulatives: [0n, 0n],
        secondsPerLiquidityCumulativeX128s: [(1n << 160n) - 5n, shares(1_800n) - 5n],
      },
      1_800,
    );
    expect(Number(mean?.liquidity) / Number(LIQUIDITY)).toBeCloseTo(1, 6);
  });

  it.each([
    ['is too short', [0n], [0n]],
    ['has no time in it', [0n, 0n], [9n, 9n]],
    ['is beyond the highest tick', [0n, 1_800n * 900_000n], [0n, shares(1_800n)]],
  ])('has none of an answer that %s', (_, ticks, sums) => {
    expect(
      meanOfWindow({ tickCumulatives: ticks, secondsPerLiquidityCumulativeX128s: sums }, 1_800),
    ).toBeNull();
  });
});
