import { describe, expect, it } from '@jest/globals';
import type { Observation } from '../accounts/withdrawal-account.js';
import { decide } from './decide.js';
import type { OwnTransaction } from './decide.js';

const landed: Observation = { state: 'landed', transactionHash: '0xaa' };
const impossible: Observation = { state: 'impossible', reason: 'it is gone.' };
const alive: Observation = { state: 'open', isDead: false };
const dead: Observation = { state: 'open', isDead: true };

describe('a withdrawal', () => {
  it.each<OwnTransaction>(['none', 'pending', 'success', 'reverted', 'dropped'])(
    'is what the chain says, though our own transaction is %s',
    (own) => {
      expect(decide(landed, own)).toEqual({ kind: 'landed', transactionHash: '0xaa' });
      expect(decide(impossible, own)).toEqual({ kind: 'failed', reason: 'it is gone.' });
      expect(decide(dead, own)).toEqual({ kind: 'died' });
    },
  );

  it('has failed when our transaction reverted and nobody else submitted it', () => {
    expect(decide(alive, 'reverted')).toMatchObject({ kind: 'failed' });
  });

  it('is submitted again when our transaction can never land', () => {
    expect(decide(alive, 'dropped')).toBe('submit-again');
  });

  it.each<OwnTransaction>(['none', 'pending', 'success'])('waits while it is %s', (own) => {
    expect(decide(alive, own)).toBeNull();
  });
});
