import { describe, expect, it } from '@jest/globals';
import type { StoredPaymentStatus } from '@bascule/contracts';
import { aDeposit, aPayment, aPolicy, minutesAfter, OWNER } from '../testing/a-payment.fixture.js';
import { USDC } from '../testing/a-quote.fixture.js';
import type { Deposit } from './payment-record.js';
import { taint, taintBySenders } from './sanctions.js';

const ONE = '0x00000000000000000000000000000000000000aa';
const OTHER = '0x00000000000000000000000000000000000000bb';
const from = (sender: string, amount: bigint, over: Partial<Deposit> = {}): Partial<Deposit> => ({
  sender,
  amount,
  ...over,
});
const now = minutesAfter(3);

/** Status after these deposits, with both senders sanctioned. */
const statusAfter = (...deposits: Partial<Deposit>[]): StoredPaymentStatus => {
  const payment = deposits.reduce((built, deposit) => built.deposited(deposit), aPayment());
  return taintBySenders(payment.build(), new Set([ONE, OTHER]), aPolicy, now).status;
};

describe('taint', () => {
  it.each<StoredPaymentStatus>(['PENDING', 'EXPIRED', 'FAILED', 'WITHDRAWN', 'WITHDRAW_PENDING'])(
    'taints a payment that is %s',
    (status) => {
      expect(taint(aPayment().with({ status }).build(), now).status).toBe('TAINTED');
    },
  );

  it.each<StoredPaymentStatus>(['COMPLETE', 'TAINTED'])('leaves a payment that is %s', (status) => {
    const payment = aPayment().with({ status }).build();
    expect(taint(payment, now)).toBe(payment);
  });
});

describe('taintBySenders', () => {
  it('taints beyond one dollar, not at it', () => {
    expect(statusAfter(from(ONE, 1_000_000n))).toBe('PENDING');
    expect(statusAfter(from(ONE, 1_000_001n))).toBe('TAINTED');
  });

  it('sums deposits and senders', () => {
    expect(statusAfter(from(ONE, 600_000n), from(ONE, 600_000n))).toBe('TAINTED');
    expect(statusAfter(from(ONE, 600_000n), from(OTHER, 600_000n))).toBe('TAINTED');
  });

  it('counts senders in any letter case, and no others', () => {
    expect(statusAfter(from(ONE.toUpperCase().replace('0X', '0x'), 9_000_000n))).toBe('TAINTED');
    expect(statusAfter(from(OWNER, 9_000_000n), from(ONE, 900_000n))).toBe('PENDING');
  });

  it('counts confirmed deposits only: a reorganisation must not freeze a payment', () => {
    expect(statusAfter(from(ONE, 9_000_000n, { confirmed: false }))).toBe('PENDING');
  });

  it('takes the quote’s price where the deposit has none', () => {
    expect(statusAfter(from(ONE, 1_000_001n, { usdPrice: null }))).toBe('TAINTED');
    expect(statusAfter(from(ONE, 1n, { usdPrice: null }))).toBe('PENDING');
  });

  it('taints by a planned token without any price, and ignores other tokens without one', () => {
    const unpriced = aPayment().with({ currentPrices: {} });
    const deposit = aDeposit(from(ONE, 1n, { usdPrice: null }));
    const statusWith = (token: Deposit['token']) => {
      const payment = unpriced.deposited({ ...deposit, token }).build();
      return taintBySenders(payment, new Set([ONE]), aPolicy, now).status;
    };
    expect(statusWith(USDC)).toBe('TAINTED');
    expect(statusWith('alphanet:0x00000000000000000000000000000000000000cc')).toBe('PENDING');
  });

  it('starts no leg of a tainted payment', () => {
    const funded = aPayment().deposited({ sender: ONE });
    const tainted = funded.changed(
      (payment, time) => taintBySenders(payment, new Set([ONE]), aPolicy, time),
      now,
    );
    expect(funded.build().legs[0]?.dueAt).not.toBeNull();
    expect(tainted.build().legs[0]?.dueAt).toBeNull();
    expect(() => tainted.submitted()).toThrow('leg 0 of TAINTED payment');
  });
});
