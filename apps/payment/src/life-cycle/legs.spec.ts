import { describe, expect, it } from '@jest/globals';
import { aBridgedPayment, bridging, delivered } from '../testing/a-bridged-payment.fixture.js';
import { aPayment, aSettlement, HASH, minutesAfter } from '../testing/a-payment.fixture.js';
import { failFrom, legAt, legSettled, legSubmitted, legUndone } from './legs.js';
import { decimalsOf, newPayment } from './payment-record.js';
import type { LegStatus, PaymentRecord } from './payment-record.js';
import { isDust } from './policy.js';

const failure = { reason: 'reverted', message: '' } as const;
const statuses = ({ legs }: PaymentRecord): LegStatus[] => legs.map(({ status }) => status);

describe('a leg', () => {
  it('is refused with a code when it is unknown or cannot start', () => {
    const payment = aPayment().build();
    const refusal = (code: string) => expect.objectContaining({ name: 'LifeCycleError', code });
    expect(() => legAt(payment, 1)).toThrow(refusal('unknown_leg'));
    const sent = { transactionHash: HASH, nextLookAt: null };
    expect(() => legSubmitted(payment, 0, sent)).toThrow(refusal('leg_not_startable'));
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

describe('a payment record', () => {
  it('keeps the trace of its confirm request', () => {
    const terms = aPayment().build();
    expect(newPayment(terms, () => 'id', 'trace').traceparent).toBe('trace');
    expect(newPayment(terms, () => 'id').traceparent).toBeNull();
  });

  it('knows the decimals of planned tokens only', () => {
    const payment = aPayment().build();
    expect(() => decimalsOf(payment, 'alphanet:0x')).toThrow('no decimals of alphanet:0x');
  });
});

describe('dust', () => {
  const holding = { token: 'alphanet:0x', decimals: 6, usdPrice: null } as const;
  const policy = { dustUsd: '0.05', stalledAfterMs: 1 };

  it('is nothing at all, and nothing else without a price', () => {
    expect(isDust({ ...holding, amount: 0n }, policy)).toBe(true);
    expect(isDust({ ...holding, amount: 1n }, policy)).toBe(false);
  });
});
