import { describe, expect, it } from '@jest/globals';
import { aPayment } from '../testing/a-payment.fixture.js';
import { eventTypeOf } from './transitions.js';

const confirmed = aPayment().build();

describe('eventTypeOf', () => {
  it.each([
    ['payment.funded', confirmed, aPayment().deposited({ amount: 1n }).build()],
    [
      'payment.funded',
      aPayment().deposited({ amount: 1n }).build(),
      aPayment().deposited().build(),
    ],
    ['payment.updated', aPayment().deposited().build(), aPayment().executing().build()],
    ['payment.completed', aPayment().executing().build(), aPayment().complete().build()],
    ['payment.failed', confirmed, { ...confirmed, status: 'FAILED' as const }],
    ['payment.expired', confirmed, { ...confirmed, status: 'EXPIRED' as const }],
    ['payment.withdrawn', confirmed, { ...confirmed, status: 'WITHDRAWN' as const }],
    ['payment.tainted', confirmed, { ...confirmed, status: 'TAINTED' as const }],
    ['payment.updated', confirmed, { ...confirmed, version: 9 }],
  ])('returns %s', (type, before, after) => {
    expect(eventTypeOf(before, after)).toBe(type);
  });

  it('reports a failure once, and not again when a withdrawal fails', () => {
    const failed = { ...confirmed, status: 'FAILED' as const };
    const withdrawing = {
      ...confirmed,
      status: 'WITHDRAW_PENDING' as const,
      statusBeforeWithdrawal: 'FAILED' as const,
    };
    expect(eventTypeOf(failed, withdrawing)).toBe('payment.updated');
    expect(eventTypeOf(withdrawing, failed)).toBe('payment.updated');
  });
});
