import { describe, expect, it } from '@jest/globals';
import { PartyBudget } from './party-budget.js';

describe('PartyBudget', () => {
  it('allows each party its requests, and no more', () => {
    const budget = new PartyBudget(2);
    const asks = (party: string) => () => budget.spend(party);
    for (const party of ['one', 'one', 'other', 'other']) expect(asks(party)).not.toThrow();
    expect(asks('one')).toThrow('one was not asked');
    expect(asks('other')).toThrow('other was not asked');
  });
});
