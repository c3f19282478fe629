import type { StoredPaymentStatus } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { aPayment } from '../testing/a-payment.fixture.js';
import { withdrawingFrom } from '../testing/a-withdrawal.fixture.js';
import { eventTypeOf } from './transitions.js';

const confirmed = () => aPayment().build();

describe('eventTypeOf', () => {
  const partly = () => aPayment().deposited({ amount: 1n }).build();
  const fully = () => aPayment().deposited().build();
  const executing = () => aPayment().executing().build();
  const ended = (status: StoredPaymentStatus) => () => ({ ...confirmed(), status });

  it.each([
    ['payment.funded', confirmed, partly],
    ['payment.funded', partly, fully],
    ['payment.updated', fully, executing],
    ['payment.completed', executing, () => aPayment().complete().build()],
    ['payment.failed', confirmed, ended('FAILED')],
    ['payment.expired', confirmed, ended('EXPIRED')],
    ['payment.withdrawn', confirmed, ended('WITHDRAWN')],
    ['payment.tainted', confirmed, ended('TAINTED')],
    ['payment.updated', confirmed, () => ({ ...confirmed(), version: 9 })],
  ])('returns %s', (type, before, after) => {
    expect(eventTypeOf(before(), after())).toBe(type);
  });

  it('reports a failure once, and not again when a withdrawal fails', () => {
    const failed = { ...confirmed(), status: 'FAILED' as const };
    const withdrawing = {
      ...confirmed(),
      ...withdrawingFrom('FAILED'),
    };
    expect(eventTypeOf(failed, withdrawing)).toBe('payment.updated');
    expect(eventTypeOf(withdrawing, failed)).toBe('payment.updated');
  });
});
