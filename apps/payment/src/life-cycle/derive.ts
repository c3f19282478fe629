import { refreshFunding } from './funding.js';
import { startableLeg } from './legs.js';
import type { Leg, PaymentRecord } from './payment-record.js';
import { nextWithdrawalDeath } from './withdrawals.js';

/**
 * What follows from the recorded facts: whether it is funded, which leg is due, when deadlines are looked at.
 * Applied after every change, so that whoever records a fact need not know what it entails.
 */
export function derive(payment: PaymentRecord, now: Date): PaymentRecord {
  const funded = refreshFunding(payment, now);
  return { ...funded, legs: scheduleLegs(funded, now), dueAt: nextDeadline(funded, now) };
}

/** The startable leg is due, legs on their way stay due, nothing else is. */
function scheduleLegs(payment: PaymentRecord, now: Date): readonly Leg[] {
  const startable = startableLeg(payment);
  return payment.legs.map((leg) => {
    if (leg.status === 'EXECUTING') return leg;
    const dueAt = leg.index === startable?.index ? (leg.dueAt ?? now) : null;
    return dueAt === leg.dueAt ? leg : { ...leg, dueAt };
  });
}

function nextDeadline(payment: PaymentRecord, now: Date): Date | null {
  const { status, dueAt, initiateFundBy } = payment;
  if (status === 'WITHDRAW_PENDING') return nextWithdrawalDeath(payment);
  if (status !== 'PENDING') return null;
  return dueAt ?? (now > initiateFundBy ? now : initiateFundBy);
}
