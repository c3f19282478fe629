import { resumePolls } from './checkouts.js';
import { applyTrigger } from './transitions.js';
import { refreshFunding } from './funding.js';
import { startableLeg } from './legs.js';
import { isPolled } from './open-transfers.js';
import type { Leg, PaymentRecord } from './payment-record.js';
import { settleBridged } from './transfers.js';
import { nextWithdrawalExpiry } from './withdrawals.js';

/**
 * Derives funding, the due order, the due leg and the next deadline from the recorded facts. Applied after every
 * change, so that a function that records a fact does not have to know its consequences.
 */
export function derive(payment: PaymentRecord, now: Date): PaymentRecord {
  const failed = failAfterStep(settleBridged(payment), now);
  const funded = resumePolls(refreshFunding(failed, now), now);
  return { ...funded, legs: scheduleLegs(funded, now), dueAt: nextDeadline(funded, now) };
}

/** Fails the payment of a failed leg, once no withdrawal is open. */
const failAfterStep = (payment: PaymentRecord, now: Date): PaymentRecord =>
  payment.legs.some(({ status }) => status === 'FAILED')
    ? applyTrigger(payment, 'step_failed', now)
    : payment;

/** Makes the startable leg due, keeps followed legs due, and clears the others. */
function scheduleLegs(payment: PaymentRecord, now: Date): readonly Leg[] {
  const startable = startableLeg(payment);
  return payment.legs.map((leg) => {
    if (leg.status === 'EXECUTING') return leg;
    const isDue = isPolled(payment, leg) || leg.index === startable?.index;
    const dueAt = isDue ? (leg.dueAt ?? now) : null;
    return dueAt === leg.dueAt ? leg : { ...leg, dueAt };
  });
}

function nextDeadline(payment: PaymentRecord, now: Date): Date | null {
  const { status, dueAt, initiateFundBy } = payment;
  if (status === 'WITHDRAW_PENDING') return nextWithdrawalExpiry(payment);
  if (status !== 'PENDING') return null;
  return dueAt ?? (now > initiateFundBy ? now : initiateFundBy);
}
