import { describe, expect, it } from '@jest/globals';
import { aBridgedPayment, bridging, delivered } from '../testing/a-bridged-payment.fixture.js';
import { aPayment, aSettlement, HASH, minutesAfter } from '../testing/a-payment.fixture.js';
import { failFrom, legAt, legAttemptFailed, legSettled, legSubmitted, legUndone } from './legs.js';
import type { LegStatus, PaymentRecord } from './payment-record.js';

const failure = { reason: 'reverted', message: '' } as const;
const statuses = ({ legs }: PaymentRecord): LegStatus[] => legs.map(({ status }) => status);

describe('a leg', () => {
  it('is refused with a code when it is unknown or cannot start', () => {
    const payment = aPayment().build();
    const refusal = (code: string) => expect.objectContaining({ name: 'LifeCycleError', code });
    expect(() => legAt(payment, 1)).toThrow(refusal('unknown_leg'));
    const sent = { attempt: 1, nextLookAt: null };
    expect(() => legSubmitted(payment, 0, sent)).toThrow(refusal('leg_not_startable'));
  });

  it('refuses an attempt other than the next one', () => {
    const retryAt = minutesAfter(3);
    const failed = legAttemptFailed(aPayment().executing().build(), 0, failure, retryAt);
    const submitted = (attempt: number) => () =>
      legSubmitted(failed, 0, { attempt, nextLookAt: null });
    expect(submitted(1)).toThrow('expected attempt 2');
    expect(submitted(3)).toThrow('expected attempt 2');
    expect(submitted(2)().legs[0]).toMatchObject({ status: 'EXECUTING', attempts: 2 });
  });

  it('keeps what its last attempt was to convert, and of which attempt that is', () => {
    const conversion = { venue: 'uniswap_v3', quoted: 7n };
    const funded = aPayment().deposited().build();
    const first = legSubmitted(funded, 0, { attempt: 1, nextLookAt: null, conversion });
    expect(first.legs[0]?.conversion).toEqual({ ...conversion, attempt: 1 });
    const failed = legAttemptFailed(first, 0, failure, minutesAfter(3));
    const second = legSubmitted(failed, 0, { attempt: 2, nextLookAt: null });
    expect(second.legs[0]?.conversion).toBeNull();
    expect(legUndone(first, 0).legs[0]?.conversion).toBeNull();
  });

  it('executes again after a reorg deeper than finality', () => {
    expect(legUndone(aPayment().complete().build(), 0).legs[0]).toMatchObject({
      status: 'EXECUTING',
      settlement: null,
      dueAt: null,
    });
  });

  it('completes the payment only as the last one', () => {
    const executing = aBridgedPayment().executing().build();
    const settled = legSettled(executing, 0, aSettlement(), HASH, minutesAfter(3));
    expect(settled.status).toBe('PENDING');
    expect(statuses(settled)).toEqual(['COMPLETE', 'PENDING']);
  });

  it('leaves the legs before it and completed ones alone when it fails', () => {
    expect(statuses(failFrom(bridging().build(), 1, failure))).toEqual(['BRIDGING', 'FAILED']);
    const { legs, ...payment } = delivered().build();
    const paid = legs.map((leg) => ({ ...leg, status: 'COMPLETE' }) as const);
    expect(statuses(failFrom({ ...payment, legs: paid }, 0, failure))).toEqual([
      'COMPLETE',
      'COMPLETE',
    ]);
  });
});
