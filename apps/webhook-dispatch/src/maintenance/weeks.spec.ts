import { describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { firstUuidOf, partitionName, partitionsToDrop, weekOf } from './weeks.js';

const day = (text: string): Date => new Date(`${text}T12:00:00Z`);

describe('weeks', () => {
  it.each([
    ['2026-11-16', '2026-11-16'],
    ['2026-11-21', '2026-11-16'],
    ['2026-11-22', '2026-11-16'],
    ['2026-11-23', '2026-11-23'],
    ['2027-01-01', '2026-12-28'],
  ])('%s is in the week of %s', (text, monday) => {
    expect(weekOf(day(text)).toISOString()).toBe(`${monday}T00:00:00.000Z`);
  });

  it('bound the ids that are created in them', () => {
    const [from, to] = [firstUuidOf(weekOf(new Date())), firstUuidOf(weekOf(new Date(), 1))];
    const id = uuidv7();
    expect(from < id && id < to).toBe(true);
    expect(firstUuidOf(new Date(0x0190_b2c3_0000))).toBe('0190b2c3-0000-0000-0000-000000000000');
  });

  it('are dropped when the whole week is older than the retention', () => {
    const names = ['2026-08-10', '2026-08-17', '2026-08-24', '2026-11-16'].map((monday) =>
      partitionName('log', day(monday)),
    );
    // 90 days before are in the week of the 17th of August.
    expect(partitionsToDrop('log', [...names, 'log_rest'], day('2026-11-21'), 90)).toEqual([
      'log_20260810',
    ]);
  });
});
