import { describe, expect, it } from '@jest/globals';
import type { Withdrawal } from '../life-cycle/payment-record.js';
import { minutesAfter } from '../testing/a-payment.fixture.js';
import { aMinedWithdrawal } from '../testing/a-withdrawal.fixture.js';
import { pastWithdrawals, READ_WITHDRAWALS } from './past-withdrawals.repository.js';

const NEVER = 2n ** 190n;

/** Mined in as many blocks. */
const mined = (count: number, over: Partial<Withdrawal> = {}): Withdrawal[] =>
  Array.from({ length: count }, (_, index) => {
    const withdrawal = { ...aMinedWithdrawal(BigInt(index)), nonce: BigInt(index), ...over };
    const facts = withdrawal.mined;
    return facts && { ...withdrawal, mined: { ...facts, blockTimestamp: minutesAfter(index) } };
  }).flatMap((withdrawal) => withdrawal ?? []);

describe('pastWithdrawals', () => {
  it('are none while there are few', () => {
    expect(pastWithdrawals(mined(READ_WITHDRAWALS))).toEqual([]);
  });

  it('are the oldest mined ones', () => {
    const past = pastWithdrawals(mined(READ_WITHDRAWALS + 2));
    expect(past.map(({ nonce }) => nonce)).toEqual([1n, 0n]);
  });

  it('are never the last of a chain, from which its balances are counted', () => {
    const onBetanet = mined(2, { chain: 'betanet' });
    const past = pastWithdrawals([...onBetanet, ...mined(READ_WITHDRAWALS + 10)]);
    expect(past).not.toContain(onBetanet[1]);
    expect(past).toContain(onBetanet[0]);
  });

  it('are never the last that ended the executor’s rights', () => {
    const blamed = mined(1, { acceptBlame: true });
    const later = mined(READ_WITHDRAWALS + 10).slice(1);
    const past = pastWithdrawals([...blamed, ...later]);
    expect(past).toHaveLength(9);
    expect(past).toEqual(expect.not.arrayContaining(blamed));
  });

  it('are never refunds of a transfer', () => {
    const refunds = mined(3, { transferId: 'order' });
    expect(pastWithdrawals([...refunds, ...mined(READ_WITHDRAWALS + 10)])).toEqual(
      expect.not.arrayContaining(refunds),
    );
  });

  it('are never open ones that were submitted', () => {
    const open = { ...aMinedWithdrawal(1n), mined: null, status: 'PENDING' } as const;
    expect(pastWithdrawals([open, ...mined(READ_WITHDRAWALS + 10)])).not.toContain(open);
  });

  it('are unsigned ones that expire first, of which strangers can request any number', () => {
    const unsigned = Array.from({ length: READ_WITHDRAWALS + 1 }, (_, index): Withdrawal => ({
      ...aMinedWithdrawal(1n),
      nonce: NEVER + (BigInt(index) << 192n),
      mined: null,
      status: 'PENDING',
      submitted: false,
    }));
    expect(pastWithdrawals(unsigned)).toEqual([unsigned[0]]);
  });
});
