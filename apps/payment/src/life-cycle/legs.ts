import { applyTrigger } from './transitions.js';
import type {
  AttemptConversion,
  Leg,
  LegFailure,
  LegSettlement,
  PaymentRecord,
} from './payment-record.js';

export type LifeCycleErrorCode = 'leg_not_startable' | 'refund_not_due' | 'unknown_leg';

/** The payment's state does not allow the change: the caller decided on stale facts. */
export class LifeCycleError extends Error {
  constructor(
    readonly code: LifeCycleErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'LifeCycleError';
  }
}

export function legAt(payment: PaymentRecord, index: number): Leg {
  const leg = payment.legs[index];
  if (leg === undefined) {
    throw new LifeCycleError('unknown_leg', `payment ${payment.id} has no leg ${index}`);
  }
  return leg;
}

export function withLeg(
  payment: PaymentRecord,
  index: number,
  change: Partial<Leg>,
): PaymentRecord {
  const changed = { ...legAt(payment, index), ...change };
  return { ...payment, legs: payment.legs.map((leg) => (leg.index === index ? changed : leg)) };
}

/** First leg that is not complete. */
export const nextLeg = ({ legs }: PaymentRecord): Leg | undefined =>
  legs.find(({ status }) => status !== 'COMPLETE');

/** Leg that may run now. */
export function startableLeg(payment: PaymentRecord): Leg | undefined {
  if (payment.status !== 'PENDING' || payment.fundedInFullAt === null) return undefined;
  const next = nextLeg(payment);
  return next?.status === 'PENDING' || next?.status === 'ATTEMPT_FAILED' ? next : undefined;
}

/**
 * Marks the leg as executing, after the transaction of its next attempt was recorded.
 * @throws LifeCycleError `leg_not_startable`, also where another pass made this attempt: roll the recording back.
 */
export function legSubmitted(
  payment: PaymentRecord,
  index: number,
  sent: {
    attempt: number;
    nextLookAt: Date | null;
    conversion?: Omit<AttemptConversion, 'attempt'> | null;
  },
): PaymentRecord {
  const leg = legAt(payment, index);
  if (startableLeg(payment)?.index !== index) {
    throw new LifeCycleError(
      'leg_not_startable',
      `leg ${index} of ${payment.status} payment ${payment.id} is ${leg.status}`,
    );
  }
  if (sent.attempt !== leg.attempts + 1) {
    throw new LifeCycleError(
      'leg_not_startable',
      `expected attempt ${leg.attempts + 1} of leg ${index} of payment ${payment.id}, found ${sent.attempt}`,
    );
  }
  const { attempt, conversion = null } = sent;
  return withLeg(payment, index, {
    status: 'EXECUTING',
    attempts: attempt,
    conversion: conversion && { ...conversion, attempt },
    transactionHash: null,
    dueAt: sent.nextLookAt,
    failure: null,
  });
}

/** Records a failed attempt that moved nothing; another attempt follows. */
export const legAttemptFailed = (
  payment: PaymentRecord,
  index: number,
  failure: LegFailure,
  retryAt: Date,
): PaymentRecord => withLeg(payment, index, { status: 'ATTEMPT_FAILED', failure, dueAt: retryAt });

/**
 * Reverts the leg to `EXECUTING` after a reorg deeper than finality removed its execution. Its conversion was measured,
 * and is not again.
 */
export const legUndone = (payment: PaymentRecord, index: number): PaymentRecord =>
  withLeg(payment, index, {
    status: 'EXECUTING',
    conversion: null,
    settlement: null,
    transfer: null,
    dueAt: null,
  });

/** Records the final outcome of a leg that pays out. */
export function legSettled(
  payment: PaymentRecord,
  index: number,
  settlement: LegSettlement,
  transactionHash: string,
  now: Date,
): PaymentRecord {
  const settled = withLeg(payment, index, {
    status: 'COMPLETE',
    settlement,
    transactionHash,
    dueAt: null,
    failure: null,
  });
  const isDone = settled.legs.every(({ status }) => status === 'COMPLETE');
  return isDone ? applyTrigger(settled, 'completed', now) : settled;
}

/**
 * Records that the leg cannot succeed. While a withdrawal is under way the payment does not fail: the owner may have
 * taken the money, and otherwise the leg is tried again.
 */
export function legFailed(
  payment: PaymentRecord,
  index: number,
  failure: LegFailure,
  now: Date,
): PaymentRecord {
  if (payment.status !== 'PENDING') {
    return withLeg(payment, index, { status: 'ATTEMPT_FAILED', failure, dueAt: null });
  }
  return applyTrigger(failFrom(payment, index, failure), 'step_failed', now);
}

/** Fails the leg for good, and marks the legs after it as unreachable. */
export function failFrom(
  payment: PaymentRecord,
  index: number,
  failure: LegFailure,
): PaymentRecord {
  const legs = payment.legs.map((leg): Leg => {
    if (leg.index < index || leg.status === 'COMPLETE') return leg;
    const isFailed = leg.index === index;
    return {
      ...leg,
      status: isFailed ? 'FAILED' : 'UNREACHABLE',
      failure: isFailed ? failure : null,
      dueAt: null,
    };
  });
  return { ...payment, legs };
}
