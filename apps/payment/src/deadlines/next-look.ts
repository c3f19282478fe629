import { awaitsExpiryOnly } from '../life-cycle/deadlines.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';

const SHORTLY_MS = 1_000;

/** When to look again at a payment that none of its deadlines has ended: the scanner may still be behind. */
export function nextLook(payment: PaymentRecord, now: Date): Date {
  const shortly = new Date(now.getTime() + SHORTLY_MS);
  const { status, declarationExpiresAt } = payment;
  const isWaiting = status === 'PENDING' && awaitsExpiryOnly(payment);
  return isWaiting && declarationExpiresAt > shortly ? declarationExpiresAt : shortly;
}
