import type { PaymentEvent, WebhookDeliveryBody, WebhookEventType } from '@bascule/contracts';

export interface WorkflowOutcome {
  workflowId: string;
  orgId: string;
  eventType: WebhookEventType;
  status: 'COMPLETE' | 'FAILED';
  /** When it happened: only webhooks that existed then are called. */
  at: string;
}

const EVENT_TYPE_OF = {
  COMPLETE: 'WORKFLOW_COMPLETED',
  FAILED: 'WORKFLOW_FAILED',
} as const;

/** The outcome that a payment's event tells of; null while there is none to report. */
export function workflowOutcome(event: PaymentEvent): WorkflowOutcome | null {
  const { payment } = event.data;
  const { status } = payment;
  if (status !== 'COMPLETE' && status !== 'FAILED') return null;
  return {
    workflowId: payment.payment_id,
    orgId: payment.org_id,
    eventType: EVENT_TYPE_OF[status],
    status,
    at: payment.completed_at ?? event.time,
  };
}

/** Serialised once: every attempt sends these bytes. */
export function deliveryBody(id: string, outcome: WorkflowOutcome): Buffer {
  const body: WebhookDeliveryBody = {
    id,
    time: outcome.at,
    event_type: outcome.eventType,
    event: { workflow_id: outcome.workflowId, status: outcome.status },
  };
  return Buffer.from(JSON.stringify(body), 'utf8');
}
