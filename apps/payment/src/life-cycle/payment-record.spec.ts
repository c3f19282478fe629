import { describe, expect, it } from '@jest/globals';
import { aPayment } from '../testing/a-payment.fixture.js';
import { decimalsOf, newPayment } from './payment-record.js';

describe('a payment record', () => {
  it('keeps the trace of its confirm request', () => {
    const terms = aPayment().build();
    expect(newPayment(terms, () => 'id', 'trace').traceparent).toBe('trace');
    expect(newPayment(terms, () => 'id').traceparent).toBeNull();
  });

  it('has the decimals of planned tokens only', () => {
    const payment = aPayment().build();
    expect(() => decimalsOf(payment, 'alphanet:0x')).toThrow('no decimals of alphanet:0x');
  });
});
