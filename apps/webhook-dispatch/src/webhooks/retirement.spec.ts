import { describe, expect, it } from '@jest/globals';
import { retirementTime } from './retirement.js';

const now = new Date('2026-11-21T12:00:00.000Z');

describe('the retirement of old secrets', () => {
  it.each([
    ['2026-11-20T12:00:00Z', '2026-11-22T12:00:00.000Z'],
    ['2026-11-21T12:00:01Z', '2026-11-22T12:00:00.000Z'],
    ['2026-11-22T11:59:59Z', '2026-11-22T12:00:00.000Z'],
    ['2026-11-22T12:00:01Z', '2026-11-22T12:00:01.000Z'],
    ['2026-12-01', '2026-12-01T00:00:00.000Z'],
    ['2026-12-01T01:00:00+01:00', '2026-12-01T00:00:00.000Z'],
  ])('requested for %s is at %s', (asked, expected) => {
    expect(retirementTime(asked, now)?.toISOString()).toBe(expected);
  });

  it('is absent without a request', () => {
    expect(retirementTime(undefined, now)).toBeNull();
  });
});
