import { isOrderOver } from '../life-cycle/checkouts.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { reportedStatus } from '../life-cycle/transitions.js';

/** When to ask the provider again; null once its answer cannot matter. */
export function nextPoll(payment: PaymentRecord, now: Date, intervalMs: number): Date | null {
  const { checkout } = payment;
  if (checkout === null || isOrderOver(checkout.status)) return null;
  if (reportedStatus(payment, false) !== 'PENDING' || payment.fundedInFullAt !== null) return null;
  return new Date(now.getTime() + intervalMs);
}
