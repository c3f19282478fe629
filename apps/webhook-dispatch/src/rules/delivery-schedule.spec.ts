import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isExhausted, MAX_ATTEMPTS, nextDelayMs, SCHEDULE_MS } from './delivery-schedule.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOMINAL = 0.5;

/** Returns the starts of all attempts relative to the first, if each takes `attemptMs`. */
function attempts(randoms: () => number, attemptMs: number): number[] {
  const starts = [0];
  for (;;) {
    const ended = (starts.at(-1) ?? 0) + attemptMs;
    const delay = nextDelayMs({ attempts: starts.length, sinceFirstMs: ended }, randoms());
    if (delay === null) return starts;
    starts.push(ended + delay);
  }
}

describe('the retry schedule', () => {
  it.each([
    [1, MINUTE],
    [2, 5 * MINUTE],
    [3, 15 * MINUTE],
    [4, HOUR],
    [5, 2 * HOUR],
    [6, 4 * HOUR],
    [7, 8 * HOUR],
    [8, 8 * HOUR],
  ])('waits after failed attempt %d for %d ms', (failed, delay) => {
    expect(nextDelayMs({ attempts: failed, sinceFirstMs: 0 }, NOMINAL)).toBe(delay);
  });

  it('makes nine attempts in a nominal day', () => {
    expect(attempts(() => NOMINAL, 0)).toHaveLength(9);
  });

  it('makes at most twelve attempts, all within 24 hours of the first, with at most 2.5 % jitter', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 12, maxLength: 12 }),
        fc.integer({ min: 0, max: 10_000 }),
        (randoms, attemptMs) => {
          let next = 0;
          const starts = attempts(() => randoms[next++] ?? 0, attemptMs);
          expect(starts.length).toBeLessThanOrEqual(MAX_ATTEMPTS);
          expect(starts.at(-1)).toBeLessThanOrEqual(SCHEDULE_MS);
          starts.slice(1).forEach((start, index) => {
            const nominal = nextDelayMs({ attempts: index + 1, sinceFirstMs: 0 }, NOMINAL) ?? 0;
            const waited = start - (starts[index] ?? 0) - attemptMs;
            expect(Math.abs(waited - nominal)).toBeLessThanOrEqual(nominal * 0.025 + 1);
          });
        },
      ),
    );
  });

  it('ends when the next attempt would be later than a day after the first', () => {
    const failed = { attempts: 8, sinceFirstMs: SCHEDULE_MS - 8 * HOUR };
    expect(nextDelayMs(failed, NOMINAL)).toBe(8 * HOUR);
    expect(nextDelayMs({ ...failed, sinceFirstMs: failed.sinceFirstMs + 1 }, NOMINAL)).toBeNull();
  });

  it('ends after the twelfth attempt, even if reached early', () => {
    expect(nextDelayMs({ attempts: MAX_ATTEMPTS, sinceFirstMs: 0 }, NOMINAL)).toBeNull();
  });

  it.each([
    ['shorter than the step', 1, 0, 30_000, MINUTE],
    ['longer than the step', 1, 0, 10 * MINUTE, 10 * MINUTE],
    ['a whole day', 1, 0, 24 * HOUR, 24 * HOUR],
    ['beyond the day', 1, 0, 24 * HOUR + 1, MINUTE],
    ['beyond the rest of the day', 4, 20 * HOUR, 5 * HOUR, HOUR],
    ['within the rest of the day, where the step is not', 8, 20 * HOUR, 3 * HOUR, null],
    ['asked for after the last attempt', 12, 0, HOUR, null],
  ])('honours a Retry-After %s', (_, attempts, sinceFirstMs, retryAfterMs, expected) => {
    expect(nextDelayMs({ attempts, sinceFirstMs, retryAfterMs }, NOMINAL)).toBe(expected);
  });

  it.each([
    [{ attempts: 0, sinceFirstMs: null }, false],
    [{ attempts: 11, sinceFirstMs: SCHEDULE_MS }, false],
    [{ attempts: 12, sinceFirstMs: HOUR }, true],
    [{ attempts: 1, sinceFirstMs: SCHEDULE_MS + 1 }, true],
  ])('after %j is over: %s', (delivery, expected) => {
    expect(isExhausted(delivery)).toBe(expected);
  });
});
