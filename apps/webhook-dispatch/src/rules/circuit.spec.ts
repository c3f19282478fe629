import { describe, expect, it } from '@jest/globals';
import { coolDownMs, FailureStreaks } from './circuit.js';

describe('a circuit', () => {
  it.each([
    [1, 30_000],
    [2, 60_000],
    [3, 120_000],
    [4, 240_000],
    [5, 300_000],
    [50, 300_000],
  ])('opened %d times in a row stays open for %d ms', (openings, ms) => {
    expect(coolDownMs(openings, 30_000)).toBe(ms);
  });

  const failed = { webhookId: 'a', acknowledged: false, trial: false };
  const acknowledged = { ...failed, acknowledged: true };

  it('opens after consecutive failures, separately for each webhook', () => {
    const streaks = new FailureStreaks(3);
    expect([failed, failed].map((each) => streaks.changeAfter(each))).toEqual([null, null]);
    expect(streaks.changeAfter({ ...failed, webhookId: 'b' })).toBeNull();
    expect(streaks.changeAfter(failed)).toBe('open');
    expect(streaks.changeAfter(failed)).toBeNull();
  });

  it('stays closed while some attempts succeed', () => {
    const streaks = new FailureStreaks(2);
    const changes = [failed, acknowledged, failed, acknowledged, failed];
    expect(changes.map((each) => streaks.changeAfter(each))).toEqual(Array(5).fill(null));
  });

  it('is decided by one trial', () => {
    const streaks = new FailureStreaks(3);
    expect(streaks.changeAfter({ ...failed, trial: true })).toBe('reopen');
    expect(streaks.changeAfter({ ...acknowledged, trial: true })).toBe('recover');
  });
});
