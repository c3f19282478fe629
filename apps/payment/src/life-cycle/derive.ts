import { applyTrigger } from './apply-trigger.js';
import { refreshFunding } from './funding.js';
import { startableLeg } from './legs.js';
import { isFollowed } from './open-transfers.js';
import type { Leg, PaymentRecord } from './payment-record.js';
import { settleBridged } from './transfers.js';
import { nextWithdrawalDeath } from './withdrawals.js';

/**
 * What follows from the recorded facts: whether it is funded, which leg is due, when deadlines are looked at.
 * Applied after every change, so that whoever records a fact need not know what it entails.
 */
export function derive(payment: PaymentRecord, now: Date): PaymentRecord {
  const failed = failAfterStep(settleBridged(payment), now);
  const funded = refreshFunding(failed, now);
  return { ...funded, legs: scheduleLegs(funded, now), dueAt: nextDeadline(funded, now) };
}

/** A step may have failed while a withdrawal was under way, which has the first word about the payment. */
const failAfterStep = (payment: PaymentRecord, now: Date): PaymentRecord =>
  payment.status === 'PENDING' && payment.legs.some(({ status }) => status === 'FAILED')
    ? applyTrigger(payment, 'step_failed', now)
    : payment;

/** The startable leg is due, legs on their way stay due, nothing else is. */
function scheduleLegs(payment: PaymentRecord, now: Date): readonly Leg[] {
  const startable = startableLeg(payment);
  return payment.legs.map((leg) => {
    if (leg.status === 'EXECUTING') return leg;
    const isDue = isFollowed(payment, leg) || leg.index === startable?.index;
    const dueAt = isDue ? (leg.dueAt ?? now) : null;
    return dueAt === leg.dueAt ? leg : { ...leg, dueAt };
  });
}

function nextDeadline(payment: PaymentRecord, now: Date): Date | null {
  const { status, dueAt, initiateFundBy } = payment;
  if (status === 'WITHDRAW_PENDING') return nextWithdrawalDeath(payment);
  if (status !== 'PENDING') return null;
  return dueAt ?? (now > initiateFundBy ? now : initiateFundBy);
}
