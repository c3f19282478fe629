import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { listingChanges, type ListingEntry } from './listing-changes.js';

const entry = (id: string, value: string, listed = true, version = 1): ListingEntry<string> => ({
  id,
  value,
  listed,
  version,
});

describe('listingChanges', () => {
  it('lists a new entry as version 1', () => {
    expect(listingChanges([], [{ id: 'usd', value: 'Dollar' }])).toEqual([entry('usd', 'Dollar')]);
  });

  it('leaves unchanged entries out', () => {
    expect(listingChanges([entry('usd', 'Dollar')], [{ id: 'usd', value: 'Dollar' }])).toEqual([]);
  });

  it('makes a changed value the next version', () => {
    expect(listingChanges([entry('usd', 'Dolar')], [{ id: 'usd', value: 'Dollar' }])).toEqual([
      entry('usd', 'Dollar', true, 2),
    ]);
  });

  it('delists an unwanted entry once', () => {
    const [delisted] = listingChanges([entry('usd', 'Dollar')], []);
    expect(delisted).toEqual(entry('usd', 'Dollar', false, 2));
    expect(listingChanges(delisted ? [delisted] : [], [])).toEqual([]);
  });

  it('is idempotent: there are no changes after applying them', () => {
    const entries = fc.uniqueArray(
      fc.record({
        id: fc.constantFrom('a', 'b', 'c', 'd'),
        value: fc.constantFrom('x', 'y'),
        listed: fc.boolean(),
        version: fc.integer({ min: 1, max: 9 }),
      }),
      { selector: ({ id }) => id },
    );
    fc.assert(
      fc.property(entries, entries, (stored, wanted) => {
        const changes = listingChanges(stored, wanted);
        const after = new Map([...stored, ...changes].map((item) => [item.id, item]));
        expect(listingChanges([...after.values()], wanted)).toEqual([]);
        for (const change of changes) {
          const before = stored.find(({ id }) => id === change.id)?.version ?? 0;
          expect(change.version).toBe(before + 1);
        }
      }),
    );
  });
});
