import { describe, expect, it } from '@jest/globals';
import { ScanLag } from './scan-lag.js';

describe('the lag of a scan', () => {
  it('is the time since the head was read that was reached', () => {
    const lag = new ScanLag();
    lag.passBegan(1_000);
    lag.headReached(1_000);
    expect(lag.msAt(1_300)).toBe(300);
    lag.passBegan(2_000);
    expect(lag.msAt(2_500)).toBe(1_500);
    lag.headReached(2_000);
    expect(lag.msAt(2_600)).toBe(600);
  });

  it('grows over passes that fail or do not reach the head', () => {
    const lag = new ScanLag();
    for (const began of [0, 30_000, 60_000]) lag.passBegan(began);
    expect(lag.msAt(90_000)).toBe(90_000);
  });

  it('is warned of once a minute from a minute on', () => {
    const lag = new ScanLag();
    lag.passBegan(0);
    const warned = [60_000, 61_000, 90_000, 121_000, 130_000].filter((now) => lag.shouldWarn(now));
    expect(warned).toEqual([61_000, 121_000]);
    lag.headReached(125_000);
    expect(lag.shouldWarn(185_000)).toBe(false);
  });

  it('is missing where another replica scans', () => {
    const lag = new ScanLag();
    lag.passBegan(0);
    lag.stop();
    expect(lag.msAt(1_000_000)).toBeNull();
    expect(lag.shouldWarn(1_000_000)).toBe(false);
    lag.passBegan(1_000_000);
    expect(lag.msAt(1_000_500)).toBe(500);
  });
});
