import { setTimeout as delay } from 'node:timers/promises';
import { faultPoint, ServiceContext, WakeSignal } from '@bascule/process';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CircuitRepository } from '../persistence/circuit.repository.js';
import {
  type ClaimedDelivery,
  type ClaimGrant,
  ClaimRepository,
  type DueWebhook,
} from '../persistence/claim.repository.js';
import {
  WEBHOOK_DISPATCH_CONFIG,
  type WebhookDispatchConfig,
} from '../config/webhook-dispatch.config.js';
import { AttemptService, type MadeAttempt } from './attempt.service.js';
import { FailureStreaks } from '../rules/circuit.js';
import { DeliveryMetricsService } from './delivery-metrics.service.js';
import { inRandomOrder, isSaturated, shareSlots } from '../rules/share-slots.js';
import type { ClaimQueue, Grant } from '../rules/claim-queue.js';
import { ResultWriterService } from './result-writer.service.js';
import { isExhausted } from '../rules/delivery-schedule.js';
import { Slots, type SlotUser } from '../rules/slots.js';

/** Poll interval without a wake-up, and the time unit of the backlog rate. */
const POLL_MS = 250;
/** Minimum time between the starts of two rounds, so that each round claims many under load. */
const PACE_MS = 10;
const MAX_BACKOFF_MS = 5_000;
/** Webhooks per round; the next round continues after them. */
const WEBHOOKS_PER_ROUND = 200;
/** Part of the lease beyond the deadline of the exchange, for starting it and for writing its result. */
const LEASE_MARGIN_MS = 10_000;

/**
 * Finds webhooks with due deliveries, shares the free slots among them, and claims that many deliveries. The lease of
 * the claim, which exceeds an attempt, decides which process sends it.
 */
@Injectable()
export class DispatcherWorker implements OnApplicationBootstrap {
  private readonly signal = new WakeSignal();
  private readonly slots: Slots;
  private readonly streaks: FailureStreaks;
  private readonly inFlight = new Set<Promise<void>>();
  private readonly leaseMs: number;
  private readonly portion: number;
  private after: string | null = null;
  /** True when more deliveries are due than slots were free. */
  private saturated = false;
  private stopped = false;
  private loop: Promise<void> | undefined;

  constructor(
    private readonly claims: ClaimRepository,
    private readonly circuits: CircuitRepository,
    private readonly attempts: AttemptService,
    private readonly results: ResultWriterService,
    private readonly metrics: DeliveryMetricsService,
    @Inject(WEBHOOK_DISPATCH_CONFIG) private readonly config: WebhookDispatchConfig,
    private readonly context: ServiceContext,
  ) {
    this.slots = new Slots({
      total: config.concurrency,
      perWebhook: config.concurrencyPerWebhook,
      perHost: config.concurrencyPerHost,
      perOrganisation: config.concurrencyPerOrganisation,
    });
    this.streaks = new FailureStreaks(config.circuitFailures);
    this.leaseMs = config.acknowledgeWithinMs + LEASE_MARGIN_MS;
    this.portion = Math.max(1, Math.ceil((config.backlogPerSecond * POLL_MS) / 1_000));
  }

  onApplicationBootstrap(): void {
    this.context.shutdown.add('intake', 'dispatcher', () => this.stopClaiming());
    this.context.shutdown.add('work', 'dispatcher', () => this.drain());
    this.loop = this.run();
  }

  /** Polls for due deliveries now, e.g. after a commit that added one. */
  wake(): void {
    this.signal.wake();
  }

  /** Stops claiming; claimed deliveries continue. */
  async stopClaiming(): Promise<void> {
    this.stopped = true;
    this.signal.wake();
    await this.loop;
  }

  private async drain(): Promise<void> {
    await this.stopClaiming();
    await Promise.all(this.inFlight);
  }

  private async run(): Promise<void> {
    let backoff = POLL_MS;
    while (!this.stopped) {
      try {
        const next = performance.now() + PACE_MS;
        const hasMore = await this.round();
        backoff = POLL_MS;
        const pauseMs = next - performance.now();
        if (pauseMs > 0) await delay(pauseMs);
        if (!hasMore) await this.signal.wait(POLL_MS);
      } catch (error) {
        this.context.logger.warn({ err: error }, 'claim failed');
        backoff = Math.min(backoff * 2, MAX_BACKOFF_MS);
        await this.signal.wait(backoff);
      }
    }
  }

  /** Runs one round; true when more webhooks follow. */
  private async round(): Promise<boolean> {
    if (this.slots.free === 0) return false;
    if (this.after === null) this.saturated = false;
    const most = { due: this.config.concurrencyPerWebhook, backlog: this.portion };
    const page = await this.claims.findDueWebhooks(this.after, WEBHOOKS_PER_ROUND, most);
    this.after = page.next;
    const queues = inRandomOrder(page.webhooks.flatMap(queuesOf));
    const grants = shareSlots(queues, this.slots);
    this.saturated ||= isSaturated(queues, grants, most.due);
    if (grants.length > 0) await this.claim(grants);
    this.saturated ||= this.slots.free === 0;
    return page.next !== null;
  }

  private async claim(grants: readonly Grant[]): Promise<void> {
    const claimStartedAt = performance.now();
    const claimed = await this.claims.claim(
      grants.map((grant) => this.claimGrantOf(grant)),
      this.leaseMs,
    );
    if (claimed.length > 0) faultPoint('webhook.claimed');
    for (const delivery of claimed) this.start(delivery, claimStartedAt);
  }

  private claimGrantOf(grant: Grant): ClaimGrant {
    if (grant.kind === 'trial') return { ...grant, holdMs: this.leaseMs };
    if (grant.kind !== 'backlog') return { ...grant, holdMs: null };
    return { ...grant, holdMs: (grant.slots * 1_000) / this.config.backlogPerSecond };
  }

  private start(delivery: ClaimedDelivery, claimStartedAt: number): void {
    const user: SlotUser = { ...delivery, host: hostOf(delivery.url) };
    this.slots.take(user);
    const handled = this.handle(delivery, claimStartedAt)
      .catch((err: unknown) => {
        // E.g. a secret that cannot be decrypted: the lease expires, and the schedule continues.
        this.context.logger.error({ err, delivery: delivery.id }, 'delivery not attempted');
      })
      .finally(() => {
        this.slots.release(user);
        this.inFlight.delete(handled);
        if (this.saturated) this.signal.wake();
      });
    this.inFlight.add(handled);
  }

  private async handle(delivery: ClaimedDelivery, claimStartedAt: number): Promise<void> {
    if (isExhausted(delivery)) {
      const { id, lease } = delivery;
      const ended = { id, lease, delayMs: null, status: 'FAILED' as const, attempt: null };
      if (await this.results.write(ended)) this.metrics.ended('FAILED');
      return;
    }
    // The process was delayed: the exchange could outlast the lease.
    if (performance.now() - claimStartedAt > LEASE_MARGIN_MS / 2) return;
    const isPostponed = delivery.kind === 'trial' || delivery.kind === 'backlog';
    if (delivery.attempts === 0 && !isPostponed) this.metrics.waited(delivery.waitedMs);
    const made = await this.attempts.make(delivery);
    const written = await this.results.write(made.result);
    faultPoint('webhook.finished');
    this.metrics.attempted(made);
    if (!written) return;
    if (made.result.status !== 'PENDING') this.metrics.ended(made.result.status);
    await this.updateCircuit(delivery, made);
  }

  private async updateCircuit(delivery: ClaimedDelivery, { outcome }: MadeAttempt): Promise<void> {
    const { webhookId, openings, kind } = delivery;
    const acknowledged = outcome.kind === 'acknowledged';
    const change = this.streaks.changeAfter({ webhookId, acknowledged, trial: kind === 'trial' });
    if (change === null) return;
    this.context.logger.info({ webhook: webhookId, openings, change }, 'circuit state changed');
    await this.circuits.change(webhookId, change, {
      openings,
      coolDown: this.config.circuitCoolDownMs,
    });
  }
}

const hostOf = (url: string): string => new URL(url).hostname;

/** A receiver that recovers has what becomes due as ever, and its backlog beside it. */
function queuesOf({ circuit, due, backlog, url, ...webhook }: DueWebhook): ClaimQueue[] {
  const host = hostOf(url);
  if (circuit === 'OPEN') return [{ ...webhook, host, kind: 'trial', due: Math.min(due, 1) }];
  if (circuit === null) return [{ ...webhook, host, kind: 'regular', due }];
  const queues: ClaimQueue[] = [
    { ...webhook, host, kind: 'fresh', due },
    { ...webhook, host, kind: 'backlog', due: backlog },
  ];
  return queues.filter((queue) => queue.due > 0);
}
