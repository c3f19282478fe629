import { describe, expect, it } from '@jest/globals';
import { aMinedWithdrawal } from '../testing/a-withdrawal.fixture.js';
import { HASH, minutesAfter } from '../testing/a-payment.fixture.js';
import { minedWithdrawals } from './mined-withdrawals.js';

const numbered = (nonce: bigint) => {
  const withdrawal = aMinedWithdrawal(nonce);
  const { mined } = withdrawal;
  if (mined === null) throw new Error('expected a mined withdrawal');
  return { ...withdrawal, nonce, mined: { ...mined, blockTimestamp: minutesAfter(Number(nonce)) } };
};

describe('mined withdrawals in an event', () => {
  it('are absent without any in a final block, and without refunds of orders', () => {
    const open = { ...aMinedWithdrawal(1n), mined: null };
    const refund = { ...aMinedWithdrawal(1n), transferId: HASH };
    expect(minedWithdrawals({ withdrawals: [open, refund] })).toEqual({});
  });

  it('name chain, nonce and transaction', () => {
    expect(minedWithdrawals({ withdrawals: [aMinedWithdrawal(7n)] })).toEqual({
      mined_withdrawals: [{ chain: 'alphanet', nonce: '1', transaction_hash: HASH }],
    });
  });

  it('are the newest twenty, however many the owner submitted', () => {
    const all = Array.from({ length: 30 }, (_, index) => numbered(BigInt(index + 1)));
    const nonces = minedWithdrawals({ withdrawals: all }).mined_withdrawals?.map((it) => it.nonce);
    expect(nonces).toEqual(Array.from({ length: 20 }, (_, index) => String(30 - index)));
  });
});
