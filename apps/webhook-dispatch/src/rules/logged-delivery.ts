import type { WebhookEventType } from '@bascule/contracts';
import type { DeliveryStatus } from './delivery-status.js';

export interface LoggedDelivery {
  id: string;
  webhookId: string;
  label: string;
  eventType: WebhookEventType;
  workflowId: string;
  test: boolean;
  status: DeliveryStatus;
  attempts: number;
  /** Time to the microsecond, the position of a page. */
  createdAt: string;
  finishedAt: Date | null;
  /** Null while an attempt is in flight, and without a next one. */
  nextAttemptAt: Date | null;
}

export interface DeliveryWithRequest extends LoggedDelivery {
  url: string;
  authHeaderName: string | null;
  body: Buffer;
}
