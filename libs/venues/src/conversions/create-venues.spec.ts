import { VENUE_NAMES } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { createVenues } from './create-venues.js';

describe('the venues', () => {
  it('have the names that operators pause them by', () => {
    const names = createVenues().map(({ name }) => name);
    expect(names.sort()).toEqual([...VENUE_NAMES].sort());
  });
});
