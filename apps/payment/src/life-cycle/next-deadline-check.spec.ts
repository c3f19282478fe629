import { describe, expect, it } from '@jest/globals';
import { aPayment, minutesAfter } from '../testing/a-payment.fixture.js';
import { nextDeadlineCheck } from './deadlines.js';

const DAY = 24 * 60;

describe('nextDeadlineCheck', () => {
  it('is soon while the scanner may still find the deposit', () => {
    const soon = new Date(minutesAfter(11).getTime() + 1_000);
    expect(nextDeadlineCheck(aPayment().build(), minutesAfter(11))).toEqual(soon);
  });

  it('is at the expiry of the declaration when no other deadline is left', () => {
    const payment = aPayment().deposited().build();
    expect(nextDeadlineCheck(payment, minutesAfter(11))).toEqual(payment.declarationExpiresAt);
  });

  it('is soon while an expired withdrawal may still be found on chain', () => {
    const payment = aPayment().deposited().with({ status: 'WITHDRAW_PENDING' }).build();
    const soon = new Date(minutesAfter(11).getTime() + 1_000);
    expect(nextDeadlineCheck(payment, minutesAfter(11))).toEqual(soon);
  });

  it('is soon again when a leg runs past the declaration’s expiry', () => {
    const now = minutesAfter(DAY + 11);
    const soon = new Date(now.getTime() + 1_000);
    expect(nextDeadlineCheck(aPayment().executing().build(), now)).toEqual(soon);
  });
});
