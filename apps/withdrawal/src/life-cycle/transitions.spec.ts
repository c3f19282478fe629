import { describe, expect, it } from '@jest/globals';
import type { WithdrawalStatus } from '@bascule/contracts';
import { transition } from './transitions.js';
import type { WithdrawalFact } from './transitions.js';
import type { WithdrawalRecord } from './withdrawal-record.js';

const aWithdrawal = (change: Partial<WithdrawalRecord>): WithdrawalRecord => ({
  id: '0190b2c3-d4e5-7f60-a1b2-c3d4e5f60718',
  version: 1,
  paymentId: '0190b2c3-d4e5-7f60-a1b2-c3d4e5f60719',
  orgId: 'org',
  chain: 'alphanet',
  walletAddress: '0x01',
  ownerAddress: '0x02',
  withdrawAccount: 'SPW',
  tokenAmounts: [],
  recipientAddress: '0x03',
  acceptBlame: true,
  nonce: 1n,
  declaration: {
    factory: '',
    payment_id: '',
    owner: '',
    executor: '',
    destination: '',
    expiry: '0',
    legs: [],
  },
  authorization: '{}',
  refund: null,
  signature: null,
  submitted: false,
  submissions: 0,
  status: 'PENDING',
  transactionHash: null,
  failure: null,
  traceparent: null,
  fromBlock: 0n,
  expiresAt: new Date(0),
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...change,
});

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
