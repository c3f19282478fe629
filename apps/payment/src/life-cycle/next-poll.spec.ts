import { describe, expect, it } from '@jest/globals';
import { checkoutRequested } from './checkouts.js';
import type { PlannedOnramp } from './checkouts.js';
import type { CheckoutStatus, PaymentRecord } from './payment-record.js';
import { anOnrampPayment, minutesAfter } from '../testing/a-payment.fixture.js';
import { nextPoll } from './checkouts.js';

const opened = (status: CheckoutStatus, overrides: Partial<PaymentRecord> = {}): PaymentRecord => {
  const payment = anOnrampPayment().build();
  const { checkout } = checkoutRequested(payment, payment.plan.funding as PlannedOnramp);
  return { ...payment, checkout: checkout && { ...checkout, status }, ...overrides };
};
const at = (payment: PaymentRecord) => nextPoll(payment, minutesAfter(1), 60_000);

describe('nextPoll', () => {
  it.each<CheckoutStatus>(['CREATED', 'AWAITING_PAYMENT', 'PROCESSING', 'UNKNOWN'])(
    'asks again while the order is %s',
    (status) => {
      expect(at(opened(status))).toEqual(minutesAfter(2));
    },
  );

  it.each<CheckoutStatus>(['DELIVERED', 'FAILED', 'REFUNDED'])(
    'leaves it at %s: the chain decides the rest',
    (status) => {
      expect(at(opened(status))).toBeNull();
    },
  );

  it('ends with the payment, or when the chain has the money', () => {
    expect(at(opened('CREATED', { status: 'EXPIRED' }))).toBeNull();
    expect(at(opened('PROCESSING', { fundedInFullAt: minutesAfter(1) }))).toBeNull();
    expect(at(anOnrampPayment().build())).toBeNull();
  });

  it('goes on while a withdrawal may still come to nothing', () => {
    const payment = opened('CREATED', {
      status: 'WITHDRAW_PENDING',
      statusBeforeWithdrawal: 'PENDING',
    });
    expect(at(payment)).toEqual(minutesAfter(2));
  });
});
