import { describe, expect, it } from '@jest/globals';
import {
  aBoughtPayment,
  anOpenedPayment,
  reportOrder,
  requestCheckout,
} from '../testing/a-checkout.fixture.js';
import type { CheckoutStatus, PaymentRecord } from './payment-record.js';
import { anOnrampPayment, minutesAfter } from '../testing/a-payment.fixture.js';
import { withdrawingFrom } from '../testing/a-withdrawal.fixture.js';
import { nextPoll } from './checkouts.js';
import { forgetDeposits } from './funding.js';

const opened = (status: CheckoutStatus, overrides: Partial<PaymentRecord> = {}): PaymentRecord => {
  const payment = anOnrampPayment().build();
  const { checkout } = requestCheckout(payment);
  return { ...payment, checkout: checkout && { ...checkout, status }, ...overrides };
};
const at = (payment: PaymentRecord, answeredAt: Date | null = null) =>
  nextPoll(payment, minutesAfter(1), { intervalMs: 60_000, answeredAt });

describe('nextPoll', () => {
  it.each<CheckoutStatus>(['CREATED', 'AWAITING_PAYMENT', 'PROCESSING', 'UNKNOWN'])(
    'polls again while the order is %s',
    (status) => {
      expect(at(opened(status))).toEqual(minutesAfter(2));
    },
  );

  it.each<CheckoutStatus>(['DELIVERED', 'FAILED', 'REFUNDED'])(
    'stops polling once the order is %s',
    (status) => {
      expect(at(opened(status))).toBeNull();
    },
  );

  it('stops when the payment ends, and without a checkout', () => {
    expect(at(opened('CREATED', { status: 'EXPIRED' }))).toBeNull();
    expect(at(anOnrampPayment().build())).toBeNull();
  });

  it('stops once the provider says after the funding that nothing was paid', () => {
    const fundedInFullAt = minutesAfter(0.5);
    const funded = opened('AWAITING_PAYMENT', { fundedInFullAt });
    expect(at(funded)).toEqual(minutesAfter(2));
    expect(at(funded, fundedInFullAt)).toEqual(minutesAfter(2));
    expect(at(funded, minutesAfter(1))).toBeNull();
  });

  it('continues after the funding until a paid order is delivered', () => {
    const paid = aBoughtPayment().deposited().build();
    expect(at(paid, minutesAfter(1))).toEqual(minutesAfter(2));
    const delivered = reportOrder({ status: 'DELIVERED', askedAt: minutesAfter(1) })(paid);
    expect(at(delivered)).toBeNull();
  });

  it('continues at growing intervals after the funding, until the declaration expires', () => {
    const after = (minutes: number) =>
      nextPoll(anOpenedPayment().deposited().build(), minutesAfter(minutes), {
        intervalMs: 5_000,
        answeredAt: null,
      })?.getTime();
    expect(after(1)).toBe(minutesAfter(1).getTime() + 5_000);
    expect(after(21)).toBe(minutesAfter(41).getTime());
    expect(after(15 * 24 * 60)).toBeUndefined();
  });

  it('is now for an unpaid order once its payment waits for money again', () => {
    const funded = anOpenedPayment().deposited();
    const { checkout } = funded.build();
    const unpolled = funded.with({ checkout: checkout && { ...checkout, dueAt: null } });
    const dueAfter = (change: (payment: PaymentRecord) => PaymentRecord) =>
      unpolled.changed(change, minutesAfter(3)).build().checkout?.dueAt;
    expect(dueAfter((payment) => ({ ...payment }))).toBeNull();
    expect(dueAfter((payment) => forgetDeposits(payment, 'alphanet', 1n))).toEqual(minutesAfter(3));
  });

  it('continues while a withdrawal may still fail', () => {
    const payment = opened('CREATED', {
      ...withdrawingFrom('PENDING'),
    });
    expect(at(payment)).toEqual(minutesAfter(2));
  });
});
