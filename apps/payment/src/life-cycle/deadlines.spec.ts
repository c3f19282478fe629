import { describe, expect, it } from '@jest/globals';
import { openCheckout, requestCheckout } from '../testing/a-checkout.fixture.js';
import { anOnrampPayment, aPayment, minutesAfter } from '../testing/a-payment.fixture.js';
import { answeredAt, checkoutReported } from './checkouts.js';
import { applyDeadlines } from './deadlines.js';
import { derive } from './derive.js';
import { forgetDeposits } from './funding.js';
import type { CheckoutStatus, PaymentRecord } from './payment-record.js';

const DAY = 24 * 60;
const at = (payment: PaymentRecord, minute: number): PaymentRecord =>
  derive(applyDeadlines(payment, minutesAfter(minute), minutesAfter(minute)), minutesAfter(minute));

describe('deadlines', () => {
  it('expire an unfunded payment once a later block is confirmed', () => {
    expect(at(aPayment().build(), 10).status).toBe('PENDING');
    expect(at(aPayment().build(), 11)).toMatchObject({
      status: 'EXPIRED',
      completedAt: minutesAfter(11),
      dueAt: null,
    });
  });

  it('expire an underfunded payment, which stays funded', () => {
    const payment = aPayment().deposited({ amount: 1n }).build();
    expect(at(payment, 11)).toMatchObject({ status: 'EXPIRED', funded: true });
  });

  it('expire an unfunded payment also when its declaration has expired meanwhile', () => {
    expect(at(aPayment().build(), DAY + 11).status).toBe('EXPIRED');
    expect(at(aPayment().deposited({ amount: 1n }).build(), DAY + 11).status).toBe('EXPIRED');
  });

  it('wait for a deposit of a final block that is not confirmed, and came in time', () => {
    const early = { confirmed: false, blockTimestamp: minutesAfter(9) };
    expect(at(aPayment().deposited(early).build(), 11).status).toBe('PENDING');
    expect(at(aPayment().deposited(early).deposited().build(), 11).status).toBe('PENDING');
    const others = [
      { ...early, blockTimestamp: minutesAfter(12) },
      { ...early, chain: 'betanet' },
      { ...early, blockTimestamp: minutesAfter(10.5) },
      { ...early, confirmed: true, amount: 1n },
    ];
    for (const other of others) {
      expect(at(aPayment().deposited(other).build(), 11).status).toBe('EXPIRED');
    }
  });

  it('do not expire a payment that is funded in full', () => {
    const payment = aPayment().deposited().build();
    expect(at(payment, 11)).toMatchObject({ status: 'PENDING', fundedInFullAt: minutesAfter(1) });
  });

  it('fail a payment whose declaration expired, unless a leg is in flight', () => {
    const payment = at(aPayment().deposited().build(), DAY + 11);
    expect(payment.status).toBe('FAILED');
    expect(payment.legs[0]).toMatchObject({ status: 'FAILED', failure: { reason: 'expired' } });
    expect(at(aPayment().executing().build(), DAY + 11).status).toBe('PENDING');
  });

  it('leave a payment until its declaration has expired', () => {
    expect(at(aPayment().deposited().build(), DAY + 10).status).toBe('PENDING');
  });

  it('do not change a payment that has ended', () => {
    const complete = aPayment().complete().build();
    expect(applyDeadlines(complete, minutesAfter(DAY * 2), minutesAfter(DAY * 2))).toBe(complete);
  });

  it('apply again to a payment that lost its deposit', () => {
    const payment = aPayment().deposited({ blockNumber: 5n }).build();
    const lost = derive(forgetDeposits(payment, 'alphanet', 5n), minutesAfter(20));
    expect(lost.dueAt).not.toBeNull();
    expect(at(lost, 21).status).toBe('EXPIRED');
  });
});

describe('the deadline of an onramp', () => {
  const opened = (): PaymentRecord => openCheckout(anOnrampPayment().build());
  const reported = (status: CheckoutStatus, paidMinute: number | null, polledMinute: number) => {
    const paidAt = paidMinute === null ? null : minutesAfter(paidMinute);
    const askedAt = minutesAfter(polledMinute);
    const order = { status, paidAt, transactionHash: null, failure: null, askedAt };
    const payment = checkoutReported(opened(), order, askedAt);
    const { checkout } = payment;
    const polledAt = answeredAt(order) ?? checkout?.polledAt ?? null;
    // A poll without news is written beside the payment.
    return checkout === null ? payment : { ...payment, checkout: { ...checkout, polledAt } };
  };

  it('applies unchanged without a checkout', () => {
    expect(at(anOnrampPayment().build(), 11).status).toBe('EXPIRED');
  });

  it('does not wait for an order that was never opened', () => {
    const requested = requestCheckout(anOnrampPayment().build());
    expect(at(requested, 11).status).toBe('EXPIRED');
  });

  it.each(['FAILED', 'REFUNDED'] as const)(
    'does not wait for a %s order when too little arrived',
    (status) => {
      const { deposits } = anOnrampPayment().deposited({ amount: 1n }).build();
      const payment = { ...reported('AWAITING_PAYMENT', null, 9), deposits };
      const order = { paidAt: null, transactionHash: null, failure: null };
      const askedAt = minutesAfter(10);
      const lost = checkoutReported(payment, { ...order, status, askedAt }, askedAt);
      expect(lost.status).toBe('PENDING');
      expect(at(lost, 11).status).toBe('EXPIRED');
    },
  );

  it('waits until the provider was polled after it', () => {
    expect(at(opened(), 11).status).toBe('PENDING');
    expect(at(reported('AWAITING_PAYMENT', null, 10), 11).status).toBe('PENDING');
    expect(at(reported('AWAITING_PAYMENT', null, 11), 12).status).toBe('EXPIRED');
  });

  it('waits for an order that was paid in time, and fails with the declaration', () => {
    const payment = reported('PROCESSING', 9, 11);
    expect(at(payment, 12).status).toBe('PENDING');
    expect(at(payment, 14 * DAY + 9).status).toBe('PENDING');
    expect(at(payment, 14 * DAY + 11).status).toBe('FAILED');
  });

  it('waits until the declaration expires for a provider that reports an unknown order', () => {
    const payment = reported('UNKNOWN', null, 11);
    expect(payment.checkout?.polledAt).toBeNull();
    expect(at(payment, 12).status).toBe('PENDING');
    expect(at(payment, 14 * DAY + 11).status).toBe('FAILED');
  });

  it('does not wait for an order that was paid late or that failed', () => {
    expect(at(reported('PROCESSING', 11, 12), 13).status).toBe('EXPIRED');
    expect(at(reported('FAILED', null, 9), 11).status).toBe('FAILED');
  });
});
