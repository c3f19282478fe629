import { describe, expect, it } from '@jest/globals';
import type { WithdrawalStatus } from '@bascule/contracts';
import { aWithdrawal } from '../testing/withdrawal-record.fixture.js';
import { transition } from './transitions.js';
import type { WithdrawalFact } from './transitions.js';

const submitted: WithdrawalFact = { kind: 'submitted', signature: '0x' };
const landed: WithdrawalFact = { kind: 'landed', transactionHash: '0xaa' };
const failed: WithdrawalFact = { kind: 'failed', reason: 'why' };
const died: WithdrawalFact = { kind: 'died' };

describe('a withdrawal', () => {
  it.each<[WithdrawalStatus, WithdrawalFact, WithdrawalStatus | null]>([
    ['PENDING', landed, 'SUCCESS'],
    ['PENDING', failed, 'FAILED'],
    ['PENDING', died, 'EXPIRED'],
    ['SUCCESS', landed, null],
    ['SUCCESS', failed, null],
    ['SUCCESS', died, null],
    ['SUCCESS', submitted, null],
    ['FAILED', landed, 'SUCCESS'],
    ['FAILED', died, null],
    ['FAILED', submitted, null],
    ['EXPIRED', landed, 'SUCCESS'],
    ['EXPIRED', failed, null],
    ['EXPIRED', submitted, null],
  ])('that is %s and %j becomes %s', (status, fact, expected) => {
    expect(transition(aWithdrawal({ status }), fact)?.change.status ?? null).toBe(expected);
  });

  it('is submitted once', () => {
    expect(transition(aWithdrawal({}), submitted)?.event).toBe('withdrawal.submitted');
    expect(transition(aWithdrawal({ submitted: true }), submitted)).toBeNull();
  });

  it('forgets a failure that the chain disproved', () => {
    const failed = aWithdrawal({ status: 'FAILED', failure: 'reverted' });
    expect(transition(failed, landed)?.change).toEqual({
      status: 'SUCCESS',
      transactionHash: '0xaa',
      failure: null,
    });
  });
});
