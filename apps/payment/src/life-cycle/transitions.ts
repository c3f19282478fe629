import type { PaymentStatus } from '@bascule/contracts';

/** `UNCONFIRMED` is an answer only: an unverified payment is not stored. */
export type StoredStatus = Exclude<PaymentStatus, 'UNCONFIRMED'>;

export const TRIGGERS = [
  'funding_closed',
  'declaration_expired',
  'completed',
  'step_failed',
  'withdrawal_submitted',
  'withdrawal_ended',
  'withdrawal_landed_empty',
  'withdrawal_landed_partly',
  'withdrawal_landed_blamed',
  'money_found',
  'money_found_blamed',
  'sanctioned',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

/**
 * `RETURN`: the status before the withdrawal; when that was `PENDING`, deadlines that passed meanwhile apply at once.
 * `RETURN_OR_EXPIRE`: the status before the withdrawal, or `EXPIRED` when that was `PENDING`.
 */
type Target = StoredStatus | 'RETURN' | 'RETURN_OR_EXPIRE';

const ENDED: Partial<Record<Trigger, Target>> = {
  withdrawal_submitted: 'WITHDRAW_PENDING',
  sanctioned: 'TAINTED',
};

/** The life cycle. What is not here does not happen; `COMPLETE` is never left. */
export const TRANSITIONS: Readonly<Record<StoredStatus, Partial<Record<Trigger, Target>>>> = {
  PENDING: {
    ...ENDED,
    funding_closed: 'EXPIRED',
    declaration_expired: 'FAILED',
    completed: 'COMPLETE',
    step_failed: 'FAILED',
  },
  // A leg that was sent before the withdrawal is awaited, and its payout outranks the order in which logs were read.
  WITHDRAW_PENDING: {
    completed: 'COMPLETE',
    withdrawal_ended: 'RETURN',
    withdrawal_landed_empty: 'WITHDRAWN',
    withdrawal_landed_partly: 'RETURN',
    withdrawal_landed_blamed: 'RETURN_OR_EXPIRE',
    sanctioned: 'TAINTED',
  },
  EXPIRED: { ...ENDED, completed: 'COMPLETE' },
  // A leg that was sent before a withdrawal landed turns out to have taken its money across.
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
  readonly status: StoredStatus;
  readonly statusBeforeWithdrawal: StoredStatus | null;
}

/** The statuses after a trigger; the same ones when the table has no such row. */
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

/** What `GET /payments` reports. */
export const reportedStatus = (pair: StatusPair, enableWithdrawPending: boolean): StoredStatus =>
  enableWithdrawPending ? pair.status : (pair.statusBeforeWithdrawal ?? pair.status);
