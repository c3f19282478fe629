import type { PaymentEventType } from '@bascule/contracts';
import type { PaymentRecord } from './payment-record.js';
import type { StoredStatus } from './transitions.js';
import { reportedStatus } from './transitions.js';

const ENTERED: Partial<Record<StoredStatus, PaymentEventType>> = {
  COMPLETE: 'payment.completed',
  FAILED: 'payment.failed',
  EXPIRED: 'payment.expired',
  WITHDRAWN: 'payment.withdrawn',
  TAINTED: 'payment.tainted',
};

/** What the fact of a change is called; returning from a withdrawal to where the payment was is no news of its own. */
export function eventTypeOf(before: PaymentRecord, after: PaymentRecord): PaymentEventType {
  const status = reportedStatus(after, false);
  if (status !== reportedStatus(before, false)) return ENTERED[status] ?? 'payment.updated';
  const isFunded = after.funded && !before.funded;
  const isFundedInFull = after.fundedInFullAt !== null && before.fundedInFullAt === null;
  return isFunded || isFundedInFull ? 'payment.funded' : 'payment.updated';
}
