import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryDetails } from '@bascule/contracts';
import { fixedHeaders } from '../rules/request-headers.js';
import type { AttemptEntity } from '../persistence/attempt.entity.js';
import type { DeliveryWithRequest, LoggedDelivery } from '../rules/logged-delivery.js';

const HIDDEN = '***';

export const deliveryView = (delivery: LoggedDelivery): WebhookDelivery => ({
  id: delivery.id,
  label: delivery.label,
  event_type: delivery.eventType,
  workflow_id: delivery.workflowId,
  test: delivery.test,
  status: delivery.status,
  attempts: delivery.attempts,
  created_at: delivery.createdAt,
  finished_at: delivery.finishedAt?.toISOString() ?? null,
  next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
});

/** Delivery with its request, secrets masked, and the attempts with their answers. */
export const detailsView = (
  delivery: DeliveryWithRequest,
  attempts: readonly Omit<AttemptEntity, 'deliveryId'>[],
  userAgent: string,
): WebhookDeliveryDetails => ({
  ...deliveryView(delivery),
  request: {
    method: 'POST',
    url: delivery.url,
    headers: {
      ...fixedHeaders(userAgent),
      'webhook-id': delivery.id,
      'webhook-signature': HIDDEN,
      'x-service-signature': HIDDEN,
      ...(delivery.authHeaderName !== null && { [delivery.authHeaderName.toLowerCase()]: HIDDEN }),
    },
    body: delivery.body.toString('utf8'),
  },
  attempt_log: attempts.map(attemptView),
});

const attemptView = (attempt: Omit<AttemptEntity, 'deliveryId'>): WebhookAttempt => ({
  number: attempt.number,
  started_at: attempt.startedAt.toISOString(),
  url: attempt.url,
  duration_ms: attempt.durationMs,
  outcome: attempt.outcome,
  reason: attempt.reason,
  answer:
    attempt.statusCode === null
      ? null
      : {
          status_code: attempt.statusCode,
          content_type: attempt.answerType,
          body: attempt.answer?.toString('utf8') ?? '',
        },
});
