import { describe, expect, it } from '@jest/globals';
import { aWithdrawal } from '../testing/withdrawal-record.fixture.js';
import { matchingWithdrawals } from './matching-withdrawals.js';

const tokenAmounts = [{ token: 'alphanet:0x' as const, amount: '40' }];
const kept = aWithdrawal({ tokenAmounts, recipientAddress: '0xab', withdrawAccount: 'INTENT' });
const named = {
  tokenAmounts: [{ token: 'alphanet:0x' as const, amount: '40.0' }],
  recipientAddress: '0xAB',
  withdrawAccount: 'INTENT' as const,
};

describe('matchingWithdrawals', () => {
  it('finds the withdrawal with the same tokens, amounts, recipient and account', () => {
    expect(matchingWithdrawals([kept], named)).toEqual([kept]);
  });

  it.each([
    ['account', { withdrawAccount: 'SPW' as const }],
    ['recipient', { recipientAddress: '0xac' }],
    ['amount', { tokenAmounts: [{ token: 'alphanet:0x' as const, amount: '41' }] }],
    ['number of tokens', { tokenAmounts: [] }],
    [
      'token beside them',
      {
        tokenAmounts: [...named.tokenAmounts, { token: 'alphanet:0x01' as const, amount: '1' }],
      },
    ],
  ])('skips a withdrawal with another %s', (_what, change) => {
    expect(matchingWithdrawals([kept], { ...named, ...change })).toEqual([]);
  });
});
