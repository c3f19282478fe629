import type { PaymentRecord } from './payment-record.js';
import type { StoredStatus, Trigger } from './transitions.js';
import { transition } from './transitions.js';

const ENDS: ReadonlySet<StoredStatus> = new Set(['COMPLETE', 'FAILED', 'EXPIRED', 'WITHDRAWN']);

/** The payment after a trigger; the same one when the life cycle has no such transition. */
export function applyTrigger(payment: PaymentRecord, trigger: Trigger, now: Date): PaymentRecord {
  const next = transition(payment, trigger);
  const ended = payment.completedAt ?? (ENDS.has(next.status) ? now : null);
  return {
    ...payment,
    status: next.status,
    statusBeforeWithdrawal: next.statusBeforeWithdrawal,
    completedAt: next.status === 'PENDING' ? null : ended,
    // Each status has deadlines of its own: see derive.
    dueAt: next.status === payment.status ? payment.dueAt : null,
  };
}
