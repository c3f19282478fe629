import { continueTrace, faultPoint, ServiceContext, traceHeaders } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import type { ClaimedDelivery } from '../persistence/claim.repository.js';
import type { AttemptRecord, DeliveryResult } from '../persistence/results.repository.js';
import { WebhookSecretsService } from '../secrets/webhook-secrets.service.js';
import {
  WEBHOOK_DISPATCH_CONFIG,
  type WebhookDispatchConfig,
} from '../config/webhook-dispatch.config.js';
import type { AttemptOutcome } from '../rules/attempt-outcome.js';
import { fixedHeaders } from '../rules/request-headers.js';
import { retryAfterMs } from '../rules/delivery-retry-after.js';
import { nextDelayMs } from '../rules/delivery-schedule.js';
import { signatureHeaders } from '../secrets/signature.js';
import { WebhookClient } from './webhook.client.js';

/** Longest stored content type of an answer. */
const MAX_TYPE_LENGTH = 255;

export interface MadeAttempt {
  outcome: AttemptOutcome;
  durationMs: number;
  result: DeliveryResult;
}

/** Makes one attempt: signs, sends, and derives the result. */
@Injectable()
export class AttemptService {
  constructor(
    private readonly client: WebhookClient,
    private readonly secrets: WebhookSecretsService,
    @Inject(WEBHOOK_DISPATCH_CONFIG) private readonly config: WebhookDispatchConfig,
    private readonly context: ServiceContext,
  ) {}

  make(delivery: ClaimedDelivery): Promise<MadeAttempt> {
    return continueTrace(
      {
        name: 'webhook attempt',
        service: this.context.name,
        kind: 'client',
        attributes: { 'http.request.method': 'POST', 'webhook.delivery.id': delivery.id },
        traceparent: delivery.traceparent ?? undefined,
      },
      async (span) => {
        const started = performance.now();
        const outcome = await this.send(delivery);
        faultPoint('webhook.sent');
        const durationMs = performance.now() - started;
        span?.setAttribute('webhook.outcome', outcome.kind);
        this.context.logger.debug(
          { delivery: delivery.id, webhook: delivery.webhookId, outcome: outcome.kind },
          'delivery attempted',
        );
        return { outcome, durationMs, result: resultOf(delivery, outcome, durationMs) };
      },
    );
  }

  private send({ id, body, url, ...delivery }: ClaimedDelivery): Promise<AttemptOutcome> {
    const keys = this.secrets.signingKeys(delivery.webhookId, delivery.signingSecrets);
    const headers = {
      ...this.authHeader(delivery),
      ...fixedHeaders(this.config.userAgent),
      ...traceHeaders(),
      ...signatureHeaders({ id, body }, keys, new Date()),
    };
    return this.client.post({ url, headers, body, timeoutMs: this.config.acknowledgeWithinMs });
  }

  private authHeader(
    delivery: Pick<ClaimedDelivery, 'webhookId' | 'authHeaderName' | 'authHeaderValue'>,
  ): Record<string, string> {
    const { webhookId, authHeaderName, authHeaderValue } = delivery;
    if (authHeaderName === null || authHeaderValue === null) return {};
    return {
      [authHeaderName.toLowerCase()]: this.secrets.authHeaderValue(webhookId, authHeaderValue),
    };
  }
}

function resultOf(
  delivery: ClaimedDelivery,
  outcome: AttemptOutcome,
  durationMs: number,
): DeliveryResult {
  const { id, lease, url } = delivery;
  const attempt = recordOf(url, outcome, durationMs);
  if (outcome.kind === 'acknowledged') {
    return { id, lease, delayMs: null, status: 'DELIVERED', attempt };
  }
  const failed = {
    attempts: delivery.attempts + 1,
    sinceFirstMs: delivery.sinceFirstMs + durationMs,
    retryAfterMs:
      outcome.kind === 'refused' ? retryAfterMs(outcome.answer.retryAfter, new Date()) : null,
  };
  const delayMs = nextDelayMs(failed, Math.random());
  return { id, lease, delayMs, status: delayMs === null ? 'FAILED' : 'PENDING', attempt };
}

function recordOf(url: string, outcome: AttemptOutcome, durationMs: number): AttemptRecord {
  const answer = 'answer' in outcome ? outcome.answer : null;
  return {
    url,
    outcome: outcome.kind,
    durationMs,
    reason: 'reason' in outcome ? outcome.reason : null,
    statusCode: answer?.statusCode ?? null,
    answerType: answer?.contentType?.slice(0, MAX_TYPE_LENGTH) ?? null,
    answer: answer === null || answer.body.length === 0 ? null : answer.body,
  };
}
