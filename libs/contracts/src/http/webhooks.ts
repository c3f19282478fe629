export const WEBHOOK_EVENT_TYPES = ['WORKFLOW_COMPLETED', 'WORKFLOW_FAILED'] as const;
/** Outcome that a delivery reports: the payment is `COMPLETE`, or it is `FAILED`. */
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

export interface Webhook {
  id: string;
  label: string;
  url: string;
  event_types: WebhookEventType[];
  created_at: string;
  /** The name of the configured header; its value is never returned. */
  auth_header_name?: string;
}

export interface WebhookCreated extends Webhook {
  /** Shown only now. */
  signing_secret: string;
}

export interface WebhookList {
  /** Oldest first. */
  webhooks: Webhook[];
}

export interface WebhookRotated {
  id: string;
  /** Signs from now on, beside those before. Shown only now. */
  signing_secret: string;
  /** Time at which the earlier secrets have stopped signing; null if they stay. */
  retire_at: string | null;
}

/** The body of a delivery: the same bytes and the same `id` on every attempt. */
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
  /** Set in test events only. */
  test?: true;
}

/** Status of a delivery; an extension of the specification. */
export interface WebhookDelivery {
  id: string;
  label: string;
  event_type: WebhookEventType;
  workflow_id: string;
  test: boolean;
  status: 'PENDING' | 'DELIVERED' | 'FAILED' | 'CANCELLED';
  /** Number of attempts, including one in flight. */
  attempts: number;
  created_at: string;
  finished_at: string | null;
  /** Null during an attempt, and after the last one. */
  next_attempt_at: string | null;
}

export interface WebhookAttempt {
  number: number;
  started_at: string;
  url: string | null;
  duration_ms: number | null;
  /** `acknowledged`, `refused`, `timeout`, `unreachable`, `forbidden_address`, or `interrupted` by the end of its process. */
  outcome: string;
  reason: string | null;
  /** Null when there was none; of its body, the first 8 KiB. */
  answer: { status_code: number; content_type: string | null; body: string } | null;
}

export interface WebhookDeliveryDetails extends WebhookDelivery {
  /** The sent request; secret values read `***`. */
  request: { method: 'POST'; url: string; headers: Record<string, string>; body: string };
  attempt_log: WebhookAttempt[];
}

export interface WebhookDeliveryPage {
  deliveries: WebhookDelivery[];
  next_pagination_key: string | null;
}

export interface WebhookResendFailed {
  resent: number;
  /** True where more remain: repeat the request. */
  more: boolean;
}
