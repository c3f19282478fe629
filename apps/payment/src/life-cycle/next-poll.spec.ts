import { describe, expect, it } from '@jest/globals';
import { requestCheckout } from '../testing/a-checkout.fixture.js';
import type { CheckoutStatus, PaymentRecord } from './payment-record.js';
import { anOnrampPayment, minutesAfter } from '../testing/a-payment.fixture.js';
import { withdrawingFrom } from '../testing/a-withdrawal.fixture.js';
import { nextPoll } from './checkouts.js';

const opened = (status: CheckoutStatus, overrides: Partial<PaymentRecord> = {}): PaymentRecord => {
  const payment = anOnrampPayment().build();
  const { checkout } = requestCheckout(payment);
  return { ...payment, checkout: checkout && { ...checkout, status }, ...overrides };
};
const at = (payment: PaymentRecord) => nextPoll(payment, minutesAfter(1), 60_000);

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

  it('stops when the payment ends or its deposit is on chain', () => {
    expect(at(opened('CREATED', { status: 'EXPIRED' }))).toBeNull();
    expect(at(opened('PROCESSING', { fundedInFullAt: minutesAfter(1) }))).toBeNull();
    expect(at(anOnrampPayment().build())).toBeNull();
  });

  it('continues while a withdrawal may still fail', () => {
    const payment = opened('CREATED', {
      ...withdrawingFrom('PENDING'),
    });
    expect(at(payment)).toEqual(minutesAfter(2));
  });
});
