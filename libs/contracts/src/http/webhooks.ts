export const WEBHOOK_EVENT_TYPES = ['WORKFLOW_COMPLETED', 'WORKFLOW_FAILED'] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

export interface Webhook {
  id: string;
  label: string;
  url: string;
  event_types: WebhookEventType[];
  /** The name of the configured header; its value is never returned. */
  auth_header_name?: string;
}

export interface WebhookCreated extends Webhook {
  /** Shown only now. */
  signing_secret: string;
}

export interface WebhookRotated {
  id: string;
  /** Signs from now on, beside those before. Shown only now. */
  signing_secret: string;
}

/** The body of a delivery: the same bytes and the same `id` on every attempt. */
export interface WebhookDeliveryBody {
  id: string;
  time: string;
  event_type: WebhookEventType;
  event: { workflow_id: string; status: 'COMPLETE' | 'FAILED' };
  /** Only in test events, which tell of nothing that happened. */
  test?: true;
}
