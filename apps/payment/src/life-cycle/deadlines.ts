import { applyTrigger } from './transitions.js';
import { wasPaidInTime } from './funding.js';
import { failFrom, nextLeg } from './legs.js';
import type { Leg, LegFailure, PaymentRecord } from './payment-record.js';

/** True until the provider has answered a question asked after the funding deadline. */
const mayHaveBeenPaid = (payment: PaymentRecord): boolean => {
  const { checkout, initiateFundBy } = payment;
  if (checkout === null || checkout.checkoutId === null) return false;
  if (checkout.status === 'FAILED' || checkout.status === 'REFUNDED') return false;
  return (
    wasPaidInTime(payment) || checkout.polledAt === null || checkout.polledAt <= initiateFundBy
  );
};

/** A deposit of a final block was made in time, but is not confirmed yet: the payment was set aside when the block was. */
const awaitsConfirmation = (payment: PaymentRecord, confirmedUpTo: Date): boolean =>
  payment.deposits.some(
    ({ confirmed, chain, blockTimestamp }) =>
      !confirmed &&
      chain === nextLeg(payment)?.chain &&
      blockTimestamp <= payment.initiateFundBy &&
      blockTimestamp <= confirmedUpTo,
  );

/** Whether the next deadline is the declaration's expiry rather than the end of funding. */
const awaitsExpiryOnly = (payment: PaymentRecord): boolean =>
  payment.fundedInFullAt !== null || wasPaidInTime(payment);

/**
 * Applies the deadlines that have passed.
 * @param confirmedUpTo timestamp of the newest confirmed block scanned on the next leg's chain: all earlier arrivals
 * there are recorded, and the wallet's code sees no earlier time.
 * @param isHeld whether an operator's switch keeps the next leg from starting, which fails no payment
 */
export function applyDeadlines(
  payment: PaymentRecord,
  confirmedUpTo: Date,
  now: Date,
  isHeld = false,
): PaymentRecord {
  if (payment.status !== 'PENDING') return payment;
  // Funding closes first, also where both times passed while the service was away.
  const isUnfunded = payment.fundedInFullAt === null && confirmedUpTo > payment.initiateFundBy;
  const isClosed = !mayHaveBeenPaid(payment) && !awaitsConfirmation(payment, confirmedUpTo);
  if (isUnfunded && isClosed) return applyTrigger(payment, 'funding_closed', now);
  if (isHeld || confirmedUpTo <= payment.declarationExpiresAt) return payment;
  return expireDeclaration(payment, now);
}

const DECLARATION_EXPIRED: LegFailure = {
  reason: 'expired',
  message: 'The declaration has expired.',
};

/** The leg failed because the declaration expired, not because it would expire too early. */
export const isDeclarationExpired = ({ status, failure }: Leg): boolean =>
  status === 'FAILED' && failure?.message === DECLARATION_EXPIRED.message;

function expireDeclaration(payment: PaymentRecord, now: Date): PaymentRecord {
  const next = nextLeg(payment);
  if (next?.status === 'EXECUTING' || next?.status === 'BRIDGING') return payment;
  const failed = next === undefined ? payment : failFrom(payment, next.index, DECLARATION_EXPIRED);
  return applyTrigger(failed, 'declaration_expired', now);
}

const RECHECK_MS = 1_000;

/** Time of the next check of a payment that no deadline has ended; the scanner may still be behind. */
export function nextDeadlineCheck(payment: PaymentRecord, now: Date): Date {
  const recheck = new Date(now.getTime() + RECHECK_MS);
  const { status, declarationExpiresAt } = payment;
  const isWaiting = status === 'PENDING' && awaitsExpiryOnly(payment);
  return isWaiting && declarationExpiresAt > recheck ? declarationExpiresAt : recheck;
}
