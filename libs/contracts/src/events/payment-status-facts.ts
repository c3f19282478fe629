import { PAYMENT_STATUSES } from '../http/payments.js';
import type { PaymentStatus } from '../http/payments.js';
import type { WebhookEventType } from '../http/webhooks.js';
import type { PaymentEventType } from './payment-events.js';

export interface PaymentStatusFacts {
  /**
   * `open`: the service still acts on the payment, and `payments_open` counts it. `ended`: sets `completed_at`.
   * `blocked`: no leg runs, and no end is recorded. `answer`: appears in answers only and is never stored.
   */
  readonly phase: 'open' | 'ended' | 'blocked' | 'answer';
  /** Type of the event that a change to this status publishes. */
  readonly event: PaymentEventType;
  /** Webhook event for the organisation; null for none. */
  readonly webhook: WebhookEventType | null;
  /** Whether a withdrawal revokes the executor's rights on its chain. */
  readonly revokesExecutor: 'always' | 'never' | 'when_leg_is_short';
}

/** Facts about every payment status; lists of statuses elsewhere derive from this table. */
export const PAYMENT_STATUS_FACTS = {
  PENDING: {
    phase: 'open',
    event: 'payment.updated',
    webhook: null,
    revokesExecutor: 'when_leg_is_short',
  },
  COMPLETE: {
    phase: 'ended',
    event: 'payment.completed',
    webhook: 'WORKFLOW_COMPLETED',
    revokesExecutor: 'never',
  },
  FAILED: {
    phase: 'ended',
    event: 'payment.failed',
    webhook: 'WORKFLOW_FAILED',
    revokesExecutor: 'always',
  },
  EXPIRED: {
    phase: 'ended',
    event: 'payment.expired',
    webhook: null,
    revokesExecutor: 'always',
  },
  WITHDRAW_PENDING: {
    phase: 'open',
    event: 'payment.updated',
    webhook: null,
    revokesExecutor: 'when_leg_is_short',
  },
  WITHDRAWN: {
    phase: 'ended',
    event: 'payment.withdrawn',
    webhook: null,
    revokesExecutor: 'always',
  },
  TAINTED: {
    phase: 'blocked',
    event: 'payment.tainted',
    webhook: null,
    revokesExecutor: 'when_leg_is_short',
  },
  UNCONFIRMED: {
    phase: 'answer',
    event: 'payment.updated',
    webhook: null,
    revokesExecutor: 'when_leg_is_short',
  },
} as const satisfies Record<PaymentStatus, PaymentStatusFacts>;

type StatusIn<Phase extends PaymentStatusFacts['phase']> = {
  [Status in PaymentStatus]: (typeof PAYMENT_STATUS_FACTS)[Status]['phase'] extends Phase
    ? Status
    : never;
}[PaymentStatus];

/** Statuses of confirmed payments. */
export type StoredPaymentStatus = Exclude<PaymentStatus, StatusIn<'answer'>>;

/** Statuses of payments that the service still acts on. */
export const OPEN_PAYMENT_STATUSES: readonly PaymentStatus[] = PAYMENT_STATUSES.filter(
  (status) => PAYMENT_STATUS_FACTS[status].phase === 'open',
);
