import type { Timestamp, Uuid } from './wire.js';

export const WEBHOOK_EVENT_TYPES = ['WORKFLOW_COMPLETED', 'WORKFLOW_FAILED'] as const;
/** Outcome that a delivery reports: the payment is `COMPLETE`, or it is `FAILED`. */
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Webhook of the organisation. */
export interface Webhook {
  /** Id of the webhook. */
  id: Uuid;
  /** Label, unique in the organisation, at most 255 characters. */
  label: string;
  /** HTTPS URL of the receiver. */
  url: string;
  /** Events that it subscribes to. */
  event_types: WebhookEventType[];
  /** Time of the registration. */
  created_at: Timestamp;
  /** Name of the configured header; its value is never returned. */
  auth_header_name?: string;
}

/** Registered webhook with its secret. */
export interface WebhookCreated extends Webhook {
  /** Secret that signs deliveries; shown only now. */
  signing_secret: string;
}

/** Webhooks of the organisation. */
export interface WebhookList {
  /** Webhooks, oldest first. */
  webhooks: Webhook[];
}

/** New secret of a webhook. */
export interface WebhookRotated {
  /** Id of the webhook. */
  id: Uuid;
  /** Secret that signs from now on, beside the earlier ones; shown only now. */
  signing_secret: string;
  /** Time at which the earlier secrets have stopped signing; null if they stay. */
  retire_at: Timestamp | null;
}

/** Body of a delivery: the same bytes and the same `id` on every attempt. */
export interface WebhookDeliveryBody {
  /**
   * UUIDv7 of the delivery; a receiver de-duplicates on it.
   * @format uuid
   */
  id: string;
  /**
   * Time of the outcome: ISO 8601 in UTC.
   * @format date-time
   */
  time: string;
  /** Outcome of the payment. */
  event_type: WebhookEventType;
  /** The payment that ended. */
  event: {
    /** Id of the payment. */
    workflow_id: string;
    /** Status of the payment. */
    status: 'COMPLETE' | 'FAILED';
  };
  /** True in test events; absent in others. */
  test?: true;
  /** Set for webhooks and payments of test keys only. */
  mode?: 'test';
}

/** Delivery of an event to a webhook. */
export interface WebhookDelivery {
  /** Id of the delivery. */
  id: Uuid;
  /** Label of the webhook. */
  label: string;
  /** Type of the event. */
  event_type: WebhookEventType;
  /** Payment id. */
  workflow_id: Uuid;
  /** True for a test event. */
  test: boolean;
  /** Status of the delivery. */
  status: 'PENDING' | 'DELIVERED' | 'FAILED' | 'CANCELLED';
  /**
   * Number of attempts, including one in flight.
   * @asType integer
   */
  attempts: number;
  /** Time at which it was enqueued. */
  created_at: Timestamp;
  /** Time at which it ended; null before. */
  finished_at: Timestamp | null;
  /** Time of the next attempt; null during an attempt and after the last one. */
  next_attempt_at: Timestamp | null;
}

/** Attempt to deliver. */
export interface WebhookAttempt {
  /**
   * Number of the attempt, from 1.
   * @asType integer
   */
  number: number;
  /** Time of its start. */
  started_at: Timestamp;
  /** URL that was called; null if none was. */
  url: string | null;
  /** Duration in milliseconds; null while it runs. */
  duration_ms: number | null;
  /** Result: `acknowledged`, `refused`, `timeout`, `unreachable`, `forbidden_address`, or `interrupted` by the end of its process. */
  outcome: string;
  /** Reason of a failure; null without one. */
  reason: string | null;
  /** Response of the receiver; null when there was none. */
  answer: {
    /**
     * HTTP status.
     * @asType integer
     */
    status_code: number;
    /** Content type; null without one. */
    content_type: string | null;
    /** Body, at most its first 8 KiB; empty in all but the newest 20 attempts. */
    body: string;
  } | null;
}

/** Delivery with its request and attempts. */
export interface WebhookDeliveryDetails extends WebhookDelivery {
  /** Request that is sent; secret values read `***`. */
  request: {
    /** Method. */
    method: 'POST';
    /** URL of the receiver. */
    url: string;
    /** Headers by name. */
    headers: Record<string, string>;
    /** Body, byte for byte. */
    body: string;
  };
  /** Newest attempts, at most 100, oldest first. */
  attempt_log: WebhookAttempt[];
}

/** Page of deliveries, newest first. */
export interface WebhookDeliveryPage {
  /** Deliveries, at most `limit`. */
  deliveries: WebhookDelivery[];
  /** `pagination_key` of the next page; null on the last page. */
  next_pagination_key: string | null;
}

/** Result of a mass resend. */
export interface WebhookResendFailed {
  /**
   * Number of deliveries that are sent again.
   * @asType integer
   */
  resent: number;
  /** True where more remain: repeat the request. */
  more: boolean;
}

/** Delivery that was enqueued. */
export interface DeliveryReference {
  /** Id of the delivery. */
  id: Uuid;
}
