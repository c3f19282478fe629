import { PAYMENT_STATUS_FACTS } from '@bascule/contracts';
import type {
  KeyMode,
  PaymentEvent,
  WebhookDeliveryBody,
  WebhookEventType,
} from '@bascule/contracts';

export interface WorkflowOutcome {
  workflowId: string;
  orgId: string;
  eventType: WebhookEventType;
  status: 'COMPLETE' | 'FAILED';
  /** Time of the outcome; only webhooks that existed then are called. */
  at: string;
}

export const STATUS_OF: Record<WebhookEventType, WorkflowOutcome['status']> = {
  WORKFLOW_COMPLETED: 'COMPLETE',
  WORKFLOW_FAILED: 'FAILED',
};

/** Returns the outcome in an event of a payment; null if there is none to report. */
export function workflowOutcome(event: PaymentEvent): WorkflowOutcome | null {
  const { payment } = event.data;
  const eventType = PAYMENT_STATUS_FACTS[payment.status].webhook;
  if (eventType === null) return null;
  return {
    workflowId: payment.payment_id,
    orgId: payment.org_id,
    eventType,
    status: STATUS_OF[eventType],
    at: payment.completed_at ?? event.time,
  };
}

/** Serialises the body once for all attempts. Test events and payments in test mode are marked: no order is fulfilled for them. */
export function deliveryBody(
  id: string,
  outcome: WorkflowOutcome,
  { test = false, mode = 'live' }: { test?: boolean; mode?: KeyMode } = {},
): Buffer {
  const body: WebhookDeliveryBody = {
    id,
    time: outcome.at,
    event_type: outcome.eventType,
    event: { workflow_id: outcome.workflowId, status: outcome.status },
    ...(test && { test: true }),
    ...(mode === 'test' && { mode }),
  };
  return Buffer.from(JSON.stringify(body), 'utf8');
}

/** Returns whether an outcome is older than the retention: it may have been delivered before. */
export const isPastRetention = (
  outcome: WorkflowOutcome,
  now: Date,
  retentionDays: number,
): boolean => now.getTime() - Date.parse(outcome.at) > retentionDays * DAY_MS;

const DAY_MS = 86_400_000;
