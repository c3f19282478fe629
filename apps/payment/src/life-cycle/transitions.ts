import { PAYMENT_STATUS_FACTS } from '@bascule/contracts';
import type { PaymentEventType, StoredPaymentStatus } from '@bascule/contracts';
import type { PaymentRecord } from './payment-record.js';

export const TRIGGERS = [
  'funding_closed',
  'declaration_expired',
  'completed',
  'step_failed',
  'withdrawal_submitted',
  'withdrawal_ended',
  'withdrawal_mined_empty',
  'withdrawal_mined_partly',
  'withdrawal_mined_blamed',
  'money_found',
  'money_found_blamed',
  'sanctioned',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

/**
 * `RETURN`: the status before the withdrawal; for `PENDING`, deadlines that have passed apply immediately.
 * `RETURN_OR_EXPIRE`: the status before the withdrawal, but `EXPIRED` instead of `PENDING`.
 */
type Target = StoredPaymentStatus | 'RETURN' | 'RETURN_OR_EXPIRE';

const ENDED: Partial<Record<Trigger, Target>> = {
  withdrawal_submitted: 'WITHDRAW_PENDING',
  sanctioned: 'TAINTED',
};

/** Lists every allowed transition. `COMPLETE` is final. */
export const TRANSITIONS: Readonly<Record<StoredPaymentStatus, Partial<Record<Trigger, Target>>>> =
  {
    PENDING: {
      ...ENDED,
      funding_closed: 'EXPIRED',
      declaration_expired: 'FAILED',
      completed: 'COMPLETE',
      step_failed: 'FAILED',
    },
    // A leg sent before the withdrawal may still pay out, in whatever order the logs were read.
    WITHDRAW_PENDING: {
      completed: 'COMPLETE',
      withdrawal_ended: 'RETURN',
      withdrawal_mined_empty: 'WITHDRAWN',
      withdrawal_mined_partly: 'RETURN',
      withdrawal_mined_blamed: 'RETURN_OR_EXPIRE',
      sanctioned: 'TAINTED',
    },
    EXPIRED: { ...ENDED, completed: 'COMPLETE' },
    // A leg sent before the withdrawal was mined may have moved its money to the bridge.
    WITHDRAWN: {
      ...ENDED,
      completed: 'COMPLETE',
      money_found: 'PENDING',
      money_found_blamed: 'EXPIRED',
    },
    FAILED: ENDED,
    TAINTED: { withdrawal_submitted: 'WITHDRAW_PENDING' },
    COMPLETE: {},
  };

export interface StatusPair {
  readonly status: StoredPaymentStatus;
  readonly statusBeforeWithdrawal: StoredPaymentStatus | null;
}

/** Returns the statuses after a trigger, unchanged where the table has no such row. */
export function transition(current: StatusPair, trigger: Trigger): StatusPair {
  const target = TRANSITIONS[current.status][trigger];
  if (target === undefined) return current;
  if (target === 'WITHDRAW_PENDING') {
    return { status: target, statusBeforeWithdrawal: current.status };
  }
  if (target !== 'RETURN' && target !== 'RETURN_OR_EXPIRE') {
    return { status: target, statusBeforeWithdrawal: null };
  }
  const before = current.statusBeforeWithdrawal ?? 'PENDING';
  const expires = before === 'PENDING' && target === 'RETURN_OR_EXPIRE';
  return { status: expires ? 'EXPIRED' : before, statusBeforeWithdrawal: null };
}

/** Status in the answer of `GET /payments`. */
export const reportedStatus = (
  pair: StatusPair,
  enableWithdrawPending: boolean,
): StoredPaymentStatus =>
  enableWithdrawPending ? pair.status : (pair.statusBeforeWithdrawal ?? pair.status);

/** Applies a trigger; returns an equal payment where the life cycle has no such transition. */
export function applyTrigger(payment: PaymentRecord, trigger: Trigger, now: Date): PaymentRecord {
  const next = transition(payment, trigger);
  const hasEnded = PAYMENT_STATUS_FACTS[next.status].phase === 'ended';
  const completedAt = payment.completedAt ?? (hasEnded ? now : null);
  return {
    ...payment,
    status: next.status,
    statusBeforeWithdrawal: next.statusBeforeWithdrawal,
    completedAt: next.status === 'PENDING' ? null : completedAt,
    // Each status has its own deadlines: see derive.
    dueAt: next.status === payment.status ? payment.dueAt : null,
  };
}

/** Event type of a change. A return to the status before a withdrawal is `payment.updated`. */
export function eventTypeOf(before: PaymentRecord, after: PaymentRecord): PaymentEventType {
  const status = reportedStatus(after, false);
  if (status !== reportedStatus(before, false)) return PAYMENT_STATUS_FACTS[status].event;
  const isFunded = after.funded && !before.funded;
  const isFundedInFull = after.fundedInFullAt !== null && before.fundedInFullAt === null;
  return isFunded || isFundedInFull ? 'payment.funded' : 'payment.updated';
}
