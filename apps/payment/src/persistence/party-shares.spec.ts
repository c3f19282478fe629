import { describe, expect, it } from '@jest/globals';
import { partyShares } from './party-shares.js';

describe('partyShares', () => {
  it('gives each party its own rows, and the rest to one more worker', () => {
    expect(partyShares('bridge', ['escrow', 'other'])).toEqual([
      {
        party: null,
        where: `bridge IS NULL OR bridge <> ALL (ARRAY['escrow', 'other']::text[])`,
      },
      { party: 'escrow', where: `bridge = 'escrow'` },
      { party: 'other', where: `bridge = 'other'` },
    ]);
  });

  it('refuses a name that would need escaping', () => {
    expect(() => partyShares('bridge', [`a' OR true --`])).toThrow('not a plain name');
  });
});
