import { describe, expect, it } from '@jest/globals';
import { explainedAt, isSameLedger } from './native-ledger.js';

const ledger = {
  since: { block: 10n, remaining: 4n },
  deposits: [
    { block: 9n, amount: 100n },
    { block: 12n, amount: 3n },
    { block: 14n, amount: 2n },
  ],
};

describe('the explained balance of a wallet', () => {
  it('is what the newest withdrawal left and what came later', () => {
    expect([10n, 12n, 13n, 14n].map((height) => explainedAt(ledger, height))).toEqual([
      4n,
      7n,
      7n,
      9n,
    ]);
  });

  it('is the sum of all deposits without a withdrawal', () => {
    expect(explainedAt({ ...ledger, since: null }, 12n)).toBe(103n);
  });

  it('holds until a fact changes', () => {
    expect(isSameLedger(ledger, { ...ledger })).toBe(true);
    expect(isSameLedger(ledger, { ...ledger, since: null })).toBe(false);
    expect(isSameLedger(ledger, { ...ledger, deposits: ledger.deposits.slice(1) })).toBe(false);
    expect(isSameLedger(ledger, undefined)).toBe(false);
  });
});
