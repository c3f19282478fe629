import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openCheckout } from '../testing/a-checkout.fixture.js';
import { aDeposit, anOnrampPayment, aPayment, minutesAfter } from '../testing/a-payment.fixture.js';
import { USDT } from '../testing/a-quote.fixture.js';
import { checkoutReported } from './checkouts.js';
import { derive } from './derive.js';
import { fulfilledRoute } from './fulfilled.js';
import { confirmDeposits, forgetDeposits, recordDeposit } from './funding.js';
import { legSubmitted, startableLeg } from './legs.js';
import type { Deposit, PaymentRecord } from './payment-record.js';

const deposit = (payment: PaymentRecord, overrides: Partial<Deposit>, now = minutesAfter(1)) =>
  derive(recordDeposit(payment, aDeposit(overrides)), now);

describe('funding', () => {
  it('is complete when the required amount is confirmed in time', () => {
    const payment = aPayment().deposited().build();
    expect(payment).toMatchObject({ status: 'PENDING', funded: true });
    expect(payment.fundedInFullAt).toEqual(minutesAfter(1));
    expect(payment.legs[0]?.dueAt).toEqual(minutesAfter(1));
    expect(startableLeg(payment)?.index).toBe(0);
  });

  it('counts a block at the deadline and none after it', () => {
    const atDeadline = aPayment()
      .deposited({ blockTimestamp: minutesAfter(10) })
      .build();
    expect(atDeadline.fundedInFullAt).not.toBeNull();
    const later = new Date(minutesAfter(10).getTime() + 1);
    const late = aPayment().deposited({ blockTimestamp: later }).build();
    expect(late).toMatchObject({ funded: true, fundedInFullAt: null });
    expect(startableLeg(late)).toBeUndefined();
  });

  it('counts deposits in time even when they are scanned late', () => {
    const payment = deposit(aPayment().build(), {}, minutesAfter(60));
    expect(payment.fundedInFullAt).toEqual(minutesAfter(60));
  });

  it('waits for confirmations', () => {
    const seen = deposit(aPayment().build(), { confirmed: false, blockNumber: 7n });
    expect(seen).toMatchObject({ funded: false, fundedInFullAt: null });
    const confirmed = derive(confirmDeposits(seen, 'alphanet', 7n), minutesAfter(2));
    expect(confirmed).toMatchObject({ funded: true, fundedInFullAt: minutesAfter(2) });
    expect(derive(confirmDeposits(seen, 'betanet', 7n), minutesAfter(2)).funded).toBe(false);
  });

  it('is not complete with another token, or on another chain', () => {
    const payment = deposit(aPayment().build(), { token: USDT });
    expect(payment).toMatchObject({ funded: true, fundedInFullAt: null });
    const elsewhere = USDT.replace('alphanet', 'betanet') as typeof USDT;
    expect(deposit(payment, { token: elsewhere, chain: 'betanet' }).fundedInFullAt).toBeNull();
  });

  it('confirms deposits up to the height only', () => {
    const payment = deposit(aPayment().build(), { confirmed: false, blockNumber: 8n });
    expect(confirmDeposits(payment, 'alphanet', 7n)).toEqual(payment);
  });

  it('drops deposits that a reorg removed', () => {
    const payment = aPayment().deposited({ blockNumber: 20n }).build();
    const undone = derive(forgetDeposits(payment, 'alphanet', 20n), minutesAfter(2));
    expect(undone).toMatchObject({ funded: false, fundedInFullAt: null, deposits: [] });
    expect(undone.legs[0]?.dueAt).toBeNull();
    expect(forgetDeposits(payment, 'alphanet', 21n).deposits).toHaveLength(1);
    expect(forgetDeposits(payment, 'betanet', 1n).deposits).toHaveLength(1);
  });

  it('is complete exactly when the deposits in time reach the required amount', () => {
    const arrival = fc.record({
      amount: fc.bigInt(1n, 120_000_000n),
      minute: fc.integer({ min: 0, max: 20 }),
      confirmed: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 6 }), (arrivals) => {
        const payment = arrivals.reduce(
          (current, { amount, minute, confirmed }) =>
            deposit(current, { amount, confirmed, blockTimestamp: minutesAfter(minute) }),
          aPayment().build(),
        );
        const counted = arrivals.filter(({ minute, confirmed }) => confirmed && minute <= 10);
        const sum = counted.reduce((total, { amount }) => total + amount, 0n);
        expect(payment.fundedInFullAt !== null).toBe(sum >= 100_000_000n);
        expect(payment.funded).toBe(arrivals.some(({ confirmed }) => confirmed));
        expect(startableLeg(payment) !== undefined).toBe(sum >= 100_000_000n);
      }),
    );
  });

  it('keeps its time once a leg runs, whatever a reorg removes', () => {
    const payment = aPayment().executing().build();
    const undone = derive(forgetDeposits(payment, 'alphanet', 1n), minutesAfter(3));
    expect(undone).toMatchObject({ funded: true, fundedInFullAt: minutesAfter(1) });
    expect(undone.legs[0]?.dueAt).toEqual(minutesAfter(2));
  });

  it('is not completed after the payment has expired', () => {
    const payment = deposit({ ...aPayment().build(), status: 'EXPIRED' }, {});
    expect(payment).toMatchObject({ funded: true, fundedInFullAt: null });
  });

  it('starts a leg only once', () => {
    const payment = aPayment().executing().build();
    expect(startableLeg(payment)).toBeUndefined();
    const sent = { attempt: 1, nextLookAt: null };
    expect(() => legSubmitted(payment, 0, sent)).toThrow('EXECUTING');
    expect(() => legSubmitted(aPayment().build(), 0, sent)).toThrow('leg 0');
    expect(() => legSubmitted(payment, 1, sent)).toThrow('no leg 1');
    expect(payment.legs[0]?.attempts).toBe(1);
  });
});

describe('an onramp', () => {
  const paid = (payment: PaymentRecord, paidAt: Date | null, now = minutesAfter(9)) =>
    checkoutReported(
      payment,
      { status: 'PROCESSING', paidAt, transactionHash: null, failure: null, askedAt: now },
      now,
    );
  const lost = (payment: PaymentRecord, status: 'FAILED' | 'REFUNDED') => {
    const order = { status, paidAt: null, transactionHash: null, failure: 'no' } as const;
    return checkoutReported(payment, { ...order, askedAt: minutesAfter(9) }, minutesAfter(9));
  };

  it('may deliver until the declaration expires when it was paid in time', () => {
    const payment = paid(openCheckout(anOnrampPayment().build()), minutesAfter(9));
    const late = deposit(payment, { blockTimestamp: minutesAfter(600) }, minutesAfter(601));
    expect(late.fundedInFullAt).toEqual(minutesAfter(601));
    const tooLate = deposit(payment, { blockTimestamp: minutesAfter(60 * 24 * 15) });
    expect(tooLate.fundedInFullAt).toBeNull();
  });

  it('counts as paid in time at the deadline itself', () => {
    const payment = paid(
      openCheckout(anOnrampPayment().build()),
      minutesAfter(10),
      minutesAfter(11),
    );
    const late = deposit(payment, { blockTimestamp: minutesAfter(600) }, minutesAfter(601));
    expect(late.fundedInFullAt).toEqual(minutesAfter(601));
  });

  it('does not extend the deadline when it was paid late', () => {
    const payment = paid(
      openCheckout(anOnrampPayment().build()),
      minutesAfter(11),
      minutesAfter(12),
    );
    expect(deposit(payment, { blockTimestamp: minutesAfter(12) }).fundedInFullAt).toBeNull();
  });

  it('counts as paid from the provider’s first report until a refund', () => {
    const payment = paid(openCheckout(anOnrampPayment().build()), null, minutesAfter(4));
    expect(payment.checkout?.paidAt).toEqual(minutesAfter(4));
    expect(paid(payment, null, minutesAfter(8)).checkout?.paidAt).toEqual(minutesAfter(4));
    expect(lost(payment, 'REFUNDED').checkout).toMatchObject({ paidAt: null, failure: 'no' });
  });

  it.each(['FAILED', 'REFUNDED'] as const)(
    'fails the payment when its checkout is %s',
    (status) => {
      const payment = lost(openCheckout(anOnrampPayment().build()), status);
      expect(payment.status).toBe('FAILED');
      expect(payment.completedAt).toEqual(minutesAfter(9));
      expect(fulfilledRoute(payment).map((step) => step.status)).toEqual(['FAILED', 'UNREACHABLE']);
    },
  );

  it('continues after a failed checkout when a deposit arrived anyway', () => {
    const payment = deposit(openCheckout(anOnrampPayment().build()), {});
    expect(lost(payment, 'FAILED').status).toBe('PENDING');
  });

  it('changes nothing with a repeated answer', () => {
    const payment = paid(openCheckout(anOnrampPayment().build()), minutesAfter(4));
    expect(paid(payment, minutesAfter(4), minutesAfter(8))).toBe(payment);
  });

  it('has one order', () => {
    const payment = openCheckout(anOnrampPayment().build());
    expect(openCheckout(payment)).toBe(payment);
  });
});
