import { describe, expect, it } from '@jest/globals';
import type { Observation } from '../accounts/withdrawal-account.js';
import { decideSettlement, isEndExpected } from './settlement-decision.js';
import type { OwnTransaction } from './settlement-decision.js';

const settled: Observation = { state: 'settled', transactionHash: '0xaa' };
const impossible: Observation = { state: 'impossible', reason: 'it is gone.' };
const open: Observation = { state: 'open', isExpired: false };
const expired: Observation = { state: 'open', isExpired: true };

describe('a withdrawal', () => {
  it.each<OwnTransaction>(['none', 'pending', 'success', 'reverted', 'dropped'])(
    'settles with the chain’s outcome while its own transaction is %s',
    (own) => {
      expect(decideSettlement(settled, own)).toEqual({ kind: 'settled', transactionHash: '0xaa' });
      expect(decideSettlement(impossible, own)).toEqual({ kind: 'failed', reason: 'it is gone.' });
      expect(decideSettlement(expired, own)).toEqual({ kind: 'expired' });
    },
  );

  it('fails when its transaction reverted and no other was executed', () => {
    expect(decideSettlement(open, 'reverted')).toMatchObject({ kind: 'failed' });
  });

  it('is submitted again when its transaction was dropped', () => {
    expect(decideSettlement(open, 'dropped')).toBe('submit-again');
  });

  it.each<[boolean, OwnTransaction, string]>([
    [false, 'pending', 'before'],
    [true, 'pending', 'at'],
    [true, 'none', 'before'],
    [true, 'success', 'before'],
    [true, 'reverted', 'before'],
    [true, 'dropped', 'before'],
  ])('is expected to end: %s, while its own transaction is %s %s its expiry', (is, own, when) => {
    const now = new Date(when === 'at' ? 1_000 : 999);
    expect(isEndExpected(own, new Date(1_000), now)).toBe(is);
  });

  it.each<OwnTransaction>(['none', 'pending', 'success'])(
    'waits while its transaction is %s',
    (own) => {
      expect(decideSettlement(open, own)).toBeNull();
    },
  );
});
