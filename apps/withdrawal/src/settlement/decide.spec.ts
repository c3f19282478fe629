import { describe, expect, it } from '@jest/globals';
import { decide } from './decide.js';
import type { NonceObservation, OwnTransaction } from './decide.js';

const used: NonceObservation = { state: 'used', transactionHash: '0xaa' };
const alive: NonceObservation = { state: 'unused', isDead: false };
const dead: NonceObservation = { state: 'unused', isDead: true };

describe('a withdrawal', () => {
  it.each<OwnTransaction>(['none', 'pending', 'success', 'reverted', 'dropped'])(
    'has landed when its nonce is used, though our own transaction is %s',
    (own) => {
      expect(decide(used, own)).toEqual({ kind: 'landed', transactionHash: '0xaa' });
      expect(decide(dead, own)).toEqual({ kind: 'died' });
    },
  );

  it('has failed when our transaction reverted and nobody else submitted it', () => {
    expect(decide(alive, 'reverted')).toMatchObject({ kind: 'reverted' });
  });

  it('is submitted again when our transaction can never land', () => {
    expect(decide(alive, 'dropped')).toBe('submit-again');
  });

  it.each<OwnTransaction>(['none', 'pending', 'success'])('waits while it is %s', (own) => {
    expect(decide(alive, own)).toBeNull();
  });
});
