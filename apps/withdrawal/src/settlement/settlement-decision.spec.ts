import { describe, expect, it } from '@jest/globals';
import type { Observation } from '../accounts/withdrawal-account.js';
import { decideSettlement } from './settlement-decision.js';
import type { OwnTransaction } from './settlement-decision.js';

const landed: Observation = { state: 'landed', transactionHash: '0xaa' };
const impossible: Observation = { state: 'impossible', reason: 'it is gone.' };
const alive: Observation = { state: 'open', isDead: false };
const dead: Observation = { state: 'open', isDead: true };

describe('a withdrawal', () => {
  it.each<OwnTransaction>(['none', 'pending', 'success', 'reverted', 'dropped'])(
    'is what the chain says, though our own transaction is %s',
    (own) => {
      expect(decideSettlement(landed, own)).toEqual({ kind: 'landed', transactionHash: '0xaa' });
      expect(decideSettlement(impossible, own)).toEqual({ kind: 'failed', reason: 'it is gone.' });
      expect(decideSettlement(dead, own)).toEqual({ kind: 'died' });
    },
  );

  it('has failed when our transaction reverted and nobody else submitted it', () => {
    expect(decideSettlement(alive, 'reverted')).toMatchObject({ kind: 'failed' });
  });

  it('is submitted again when our transaction can never land', () => {
    expect(decideSettlement(alive, 'dropped')).toBe('submit-again');
  });

  it.each<OwnTransaction>(['none', 'pending', 'success'])('waits while it is %s', (own) => {
    expect(decideSettlement(alive, own)).toBeNull();
  });
});
