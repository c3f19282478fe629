import { formatDecimal, parseDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { acceptedRates, type DatedRateTable } from './accepted-rates.js';

const HOUR_MS = 3_600_000;
const start = new Date('2026-11-21T12:00:00Z');
const after = (hours: number): Date => new Date(start.getTime() + hours * HOUR_MS);
const NONE: DatedRateTable = new Map();

/** Accepted rates of naira and pound after these readings in sequence. */
function afterReadings(...readings: { hours: number; ngn: string; gbp: string }[]): {
  ngn: string;
  gbp: string;
} {
  const known = new Map<string, { usd: ReturnType<typeof parseDecimal>; asOf: Date }>();
  let suspect = NONE;
  for (const { hours, ...rates } of readings) {
    const usd = new Map(Object.entries(rates).map(([code, rate]) => [code, parseDecimal(rate)]));
    const now = after(hours);
    const verdict = acceptedRates(usd, { last: known, suspect, now });
    for (const [code, rate] of verdict.accepted) known.set(code, rate);
    suspect = verdict.suspect;
  }
  const text = (code: string): string => {
    const rate = known.get(code);
    if (!rate) return 'none';
    return `${formatDecimal(rate.usd)} at ${(rate.asOf.getTime() - start.getTime()) / HOUR_MS} h`;
  };
  return { ngn: text('ngn'), gbp: text('gbp') };
}

describe('acceptedRates', () => {
  const first = { hours: 0, ngn: '0.001', gbp: '1.3' };

  it('accepts first rates and those that differ by a fifth at most', () => {
    expect(afterReadings(first)).toEqual({ ngn: '0.001 at 0 h', gbp: '1.3 at 0 h' });
    expect(afterReadings(first, { hours: 1, ngn: '0.0012', gbp: '1.09' })).toEqual({
      ngn: '0.0012 at 1 h',
      gbp: '1.09 at 1 h',
    });
  });

  it.each(['0.00121', '0.0008'])('holds back only a rate that jumps to %s', (ngn) => {
    expect(afterReadings(first, { hours: 1, ngn, gbp: '1.31' })).toEqual({
      ngn: '0.001 at 0 h',
      gbp: '1.31 at 1 h',
    });
  });

  it('accepts a jump that persists for a day', () => {
    const jumped = { ngn: '0.0006', gbp: '1.3' };
    const known = (...hours: number[]): string =>
      afterReadings(first, ...hours.map((at) => ({ hours: at, ...jumped }))).ngn;
    expect(known(1, 12, 24)).toBe('0.001 at 0 h');
    expect(known(1, 12, 25)).toBe('0.0006 at 25 h');
  });

  it('restarts the day when a held-back rate changes again', () => {
    const readings = [first, { hours: 1, ngn: '0.0006', gbp: '1.3' }];
    const again = { hours: 26, ngn: '0.0006', gbp: '1.3' };
    for (const between of ['0.0003', '0.001']) {
      const { ngn } = afterReadings(...readings, { hours: 20, ngn: between, gbp: '1.3' }, again);
      expect(ngn).not.toContain('0.0006');
    }
  });
});
