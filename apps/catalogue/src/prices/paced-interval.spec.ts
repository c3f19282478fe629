import { describe, expect, it } from '@jest/globals';
import { jittered, pacedIntervalMs } from './paced-interval.js';

const MONTH_MS = 31 * 86_400_000;

describe('pacedIntervalMs', () => {
  it('keeps the wanted interval while the call budget suffices', () => {
    expect(pacedIntervalMs({ wantedMs: 60_000, callsPerRound: 8, callsPerMonth: 500_000 })).toBe(
      60_000,
    );
  });

  it('spreads a small call budget over the month and reserves a fifth of it', () => {
    const ms = pacedIntervalMs({ wantedMs: 60_000, callsPerRound: 8, callsPerMonth: 10_000 });
    const rounds = Math.floor(MONTH_MS / ms);
    expect(rounds * 8).toBeLessThanOrEqual(8_000);
    expect((rounds + 1) * 8).toBeGreaterThan(7_990);
  });
});

describe('jittered', () => {
  it('varies by up to a tenth', () => {
    expect(jittered(1_000, 0)).toBe(900);
    expect(jittered(1_000, 0.5)).toBe(1_000);
    expect(jittered(1_000, 0.999)).toBeLessThanOrEqual(1_100);
  });
});
