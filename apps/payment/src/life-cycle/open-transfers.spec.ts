import { describe, expect, it } from '@jest/globals';
import {
  aBridgedPayment,
  aDelivery,
  aFill,
  bridging,
  delivered,
  ORDER_ID,
  seen,
} from '../testing/a-bridged-payment.fixture.js';
import { minutesAfter } from '../testing/a-payment.fixture.js';
import { USDT } from '../testing/a-quote.fixture.js';
import { legAt } from './legs.js';
import { hasArrived, isAcross, isPolled, legOfTransfer } from './open-transfers.js';
import type { PaymentRecord } from './payment-record.js';

const filled = () => bridging().changed(seen(aFill()), minutesAfter(3));
const arrived = (payment: PaymentRecord) => hasArrived(payment, legAt(payment, 0));
const across = (payment: PaymentRecord) => isAcross(payment, legAt(payment, 0));
const polled = (payment: PaymentRecord) => isPolled(payment, legAt(payment, 0));

describe('a delivery', () => {
  it('has arrived once the fill’s deposit of the bridged token is final', () => {
    expect(arrived(aBridgedPayment().build())).toBe(false);
    expect(arrived(filled().build())).toBe(false);
    expect(
      arrived(
        filled()
          .deposited(aDelivery({ confirmed: false }))
          .build(),
      ),
    ).toBe(false);
    expect(
      arrived(
        filled()
          .deposited(aDelivery({ token: USDT }))
          .build(),
      ),
    ).toBe(false);
    expect(arrived(delivered().build())).toBe(true);
  });

  it('is polled after a reorg removed it, and is in transit unless its leg is complete', () => {
    const complete = { ...delivered().build(), deposits: [] };
    expect([across(complete), polled(complete)]).toEqual([false, true]);
    const bridged = filled().build();
    expect([across(bridged), polled(bridged)]).toEqual([true, true]);
  });

  it('is polled while its leg is bridging, and not after', () => {
    const { legs, ...payment } = delivered().build();
    expect(polled({ ...payment, legs })).toBe(false);
    const reopened = legs.map((leg) => ({ ...leg, status: 'BRIDGING' }) as const);
    expect(polled({ ...payment, legs: reopened })).toBe(true);
  });
});

describe('the leg of a transfer', () => {
  it('is found by the transfer’s id', () => {
    const payment = bridging().build();
    expect(legOfTransfer(payment, ORDER_ID)).toBe(payment.legs[0]);
    expect(legOfTransfer(payment, 'another')).toBeUndefined();
    expect(legOfTransfer(payment, null)).toBeUndefined();
    expect(legOfTransfer(aBridgedPayment().build(), ORDER_ID)).toBeUndefined();
  });
});
