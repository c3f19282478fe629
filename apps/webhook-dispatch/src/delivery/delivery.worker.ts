import { DueWorker } from '@bascule/persistence';
import { faultPoint, ServiceContext } from '@bascule/process';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  type BegunAttempt,
  type ClaimedDelivery,
  DeliveryRepository,
  type DeliveryResult,
} from '../persistence/delivery.repository.js';
import { SecretCipher } from '../secrets/secret-cipher.js';
import { secretContext } from '../secrets/secret-context.js';
import { WEBHOOK_DISPATCH_CONFIG, type WebhookDispatchConfig } from '../webhook-dispatch.config.js';
import { DeliveryMetrics } from './delivery-metrics.service.js';
import type { AttemptOutcome } from './outcome.js';
import { nextDelayMs } from './retry-schedule.js';
import { signatureHeaders } from './signature.js';
import { WebhookClient } from './webhook.client.js';

const POLL_MS = 1_000;
/** Beyond the answer's deadline: for the statements around it. */
const LEASE_MARGIN_MS = 20_000;

@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<ClaimedDelivery>;

  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly client: WebhookClient,
    private readonly cipher: SecretCipher,
    private readonly metrics: DeliveryMetrics,
    @Inject(WEBHOOK_DISPATCH_CONFIG) private readonly config: WebhookDispatchConfig,
    dataSource: DataSource,
    context: ServiceContext,
  ) {
    this.worker = new DueWorker({
      name: 'webhook-deliveries',
      dataSource,
      context,
      table: 'webhook_deliveries',
      select: 'id, due_at::text AS lease',
      where: 'due_at IS NOT NULL',
      batchSize: config.concurrency,
      concurrency: config.concurrency,
      leaseMs: config.acknowledgeWithinMs + LEASE_MARGIN_MS,
      pollMs: POLL_MS,
      handle: (delivery) => this.deliver(delivery),
    });
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  wake(): void {
    this.worker.wake();
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const attempt = await this.deliveries.begin(delivery);
    if (attempt === null) return;
    if (attempt === 'too late') {
      this.metrics.finished.inc({ status: 'FAILED' });
      return;
    }
    const started = performance.now();
    const outcome = await this.send(delivery.id, attempt);
    faultPoint('webhook.sent');
    const durationMs = performance.now() - started;
    const result = resultOf(outcome, attempt, durationMs);
    await this.deliveries.finish(delivery, result, { outcome, durationMs });
    this.metrics.attempts.inc({ outcome: outcome.kind });
    this.metrics.duration.observe(durationMs / 1_000);
    if (result.status !== 'PENDING') this.metrics.finished.inc({ status: result.status });
  }

  private send(id: string, attempt: BegunAttempt): Promise<AttemptOutcome> {
    const { body, url } = attempt;
    const secrets = attempt.signingSecrets.map((sealed) =>
      this.cipher.open(sealed, secretContext(attempt.webhookId, 'signing_secret')),
    );
    const headers = {
      ...this.authHeader(attempt),
      'content-type': 'application/json',
      'user-agent': 'Bascule-Webhooks/1',
      ...signatureHeaders({ id, body }, secrets, new Date()),
    };
    return this.client.post({ url, headers, body, timeoutMs: this.config.acknowledgeWithinMs });
  }

  private authHeader(attempt: BegunAttempt): Record<string, string> {
    const { webhookId, authHeaderName, authHeaderValue } = attempt;
    if (authHeaderName === null || authHeaderValue === null) return {};
    const value = this.cipher.open(authHeaderValue, secretContext(webhookId, 'auth_header'));
    return { [authHeaderName.toLowerCase()]: value };
  }
}

function resultOf(
  outcome: AttemptOutcome,
  attempt: BegunAttempt,
  durationMs: number,
): DeliveryResult {
  if (outcome.kind === 'acknowledged') return { status: 'DELIVERED' };
  const failed = { attempts: attempt.number, sinceFirstMs: attempt.sinceFirstMs + durationMs };
  const delayMs = nextDelayMs(failed, Math.random());
  return delayMs === null ? { status: 'FAILED' } : { status: 'PENDING', delayMs };
}
