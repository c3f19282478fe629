import { describe, expect, it } from '@jest/globals';
import type { WithdrawalStatus } from '@bascule/contracts';
import { aWithdrawal } from '../testing/withdrawal-record.fixture.js';
import { transition } from './transitions.js';
import type { WithdrawalFact } from './transitions.js';

const submitted: WithdrawalFact = { kind: 'submitted', signature: '0x' };
const settled: WithdrawalFact = { kind: 'settled', transactionHash: '0xaa' };
const failed: WithdrawalFact = { kind: 'failed', reason: 'why' };
const expired: WithdrawalFact = { kind: 'expired' };

describe('a withdrawal', () => {
  it.each<[WithdrawalStatus, WithdrawalFact, WithdrawalStatus | null]>([
    ['PENDING', settled, 'SUCCESS'],
    ['PENDING', failed, 'FAILED'],
    ['PENDING', expired, 'EXPIRED'],
    ['SUCCESS', settled, null],
    ['SUCCESS', failed, null],
    ['SUCCESS', expired, null],
    ['SUCCESS', submitted, null],
    ['FAILED', settled, 'SUCCESS'],
    ['FAILED', expired, null],
    ['FAILED', submitted, null],
    ['EXPIRED', settled, 'SUCCESS'],
    ['EXPIRED', failed, null],
    ['EXPIRED', submitted, null],
  ])('changes from %s by %j to %s', (status, fact, expected) => {
    expect(transition(aWithdrawal({ status }), fact)?.change.status ?? null).toBe(expected);
  });

  it('is submitted once', () => {
    expect(transition(aWithdrawal({}), submitted)?.event).toBe('withdrawal.submitted');
    expect(transition(aWithdrawal({ submitted: true }), submitted)).toBeNull();
  });

  it('drops its failure once the chain has executed it', () => {
    const failed = aWithdrawal({ status: 'FAILED', failure: 'reverted' });
    expect(transition(failed, settled)?.change).toEqual({
      status: 'SUCCESS',
      transactionHash: '0xaa',
      failure: null,
    });
  });
});
