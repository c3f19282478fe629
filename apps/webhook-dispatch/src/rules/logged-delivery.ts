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
  /** To the microsecond, as pages are cut there. */
  createdAt: string;
  finishedAt: Date | null;
  /** Null while one is under way, and when there is no next one. */
  nextAttemptAt: Date | null;
}

export interface DeliveryWithRequest extends LoggedDelivery {
  url: string;
  authHeaderName: string | null;
  body: Buffer;
}
