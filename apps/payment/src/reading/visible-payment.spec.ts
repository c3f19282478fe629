import { describe, expect, it } from '@jest/globals';
import { aPayment, aPolicy, minutesAfter } from '../testing/a-payment.fixture.js';
import { paymentView } from '../view/payment-view.js';
import { visibleTo } from './visible-payment.js';

const record = aPayment().build();
const customer = { customer_id: 'customer-1', tags: ['vip'], customer_ip_address: '81.2.69.142' };
const quoteRequest = { ...record.quoteRequest, ...customer };
const payment = {
  ...paymentView(
    { ...record, quoteRequest },
    { policyOn: () => aPolicy, now: minutesAfter(1), enableWithdrawPending: false },
  ),
  issues: [
    { kind: 'provider' as const, message: 'swiftramp: Jane Doe has no account.' },
    { kind: 'other' as const, message: 'Something else.' },
  ],
};

describe('visibleTo', () => {
  it('shows everything to a secret key', () => {
    expect(visibleTo({ kind: 'secret' }, payment)).toBe(payment);
  });

  it.each(['publishable', 'funding', 'return', 'provider'] as const)(
    'shows a %s caller nothing about the customer',
    (kind) => {
      const seen = visibleTo({ kind }, payment);
      const { customer_id: _, quote_request, ...rest } = payment;
      const issues = [
        { kind: 'provider', message: 'The provider did not complete the order.' },
        payment.issues[1],
      ];
      expect(seen).toEqual({ ...rest, issues, quote_request: expect.any(Object) });
      const { customer_id: _id, tags: _tags, ...request } = quote_request;
      const { customer_ip_address: _address, ...left } = request;
      expect(seen.quote_request).toEqual(left);
      expect(JSON.stringify(seen)).not.toMatch(/customer-1|vip|81\.2\.69|Jane/);
      expect(payment.quote_request).toMatchObject(customer);
    },
  );
});
