import { ServiceContext } from '@bascule/process';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DeliveryMetricsService } from '../delivery/delivery-metrics.service.js';
import { CircuitRepository } from '../persistence/circuit.repository.js';
import { DeliveryCleanupRepository } from '../persistence/delivery-cleanup.repository.js';
import { PartitionsRepository, type WeeklyTable } from '../persistence/partitions.repository.js';
import {
  WEBHOOK_DISPATCH_CONFIG,
  type WebhookDispatchConfig,
} from '../config/webhook-dispatch.config.js';
import { KeyRotationService } from './key-rotation.service.js';
import { firstUuidOf, partitionName, partitionsToDrop, weekOf } from './weeks.js';

const SECOND_MS = 1_000;
const CIRCUITS_MS = 5 * SECOND_MS;
const CLEANUP_MS = 60 * SECOND_MS;
const KEYS_MS = 60 * SECOND_MS;
const PARTITIONS_MS = 3_600 * SECOND_MS;
const WEEKS_AHEAD = 2;
/** Weeks before today that the log needs, since it is partitioned by the start of a payment. */
const LOG_WEEKS_BEHIND = 4;
const LOG_MARGIN_DAYS = 7 * LOG_WEEKS_BEHIND + 2;

const LOG: WeeklyTable = {
  table: 'webhook_delivery_log',
  key: 'workflow_id',
  bound: firstUuidOf,
};
const ATTEMPTS: WeeklyTable = {
  table: 'webhook_attempts',
  key: 'started_at',
  bound: (week) => week.toISOString(),
};

/** Periodic maintenance. Each part is safe to run in several processes at a time. */
@Injectable()
export class MaintenanceWorker implements OnApplicationBootstrap {
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly partitions: PartitionsRepository,
    private readonly cleanup: DeliveryCleanupRepository,
    private readonly circuits: CircuitRepository,
    private readonly metrics: DeliveryMetricsService,
    private readonly keyRotation: KeyRotationService,
    @Inject(WEBHOOK_DISPATCH_CONFIG) private readonly config: WebhookDispatchConfig,
    private readonly context: ServiceContext,
  ) {}

  onApplicationBootstrap(): void {
    this.context.shutdown.add('intake', 'maintenance', () => this.stop());
    this.every(PARTITIONS_MS, 'partitions', () => this.maintainPartitions());
    this.every(CLEANUP_MS, 'cleanup', () => this.cleanUpDeliveries());
    this.every(CIRCUITS_MS, 'circuits', () => this.circuits.closeRecovered());
    const rotateKeys = () => this.keyRotation.run();
    this.every(KEYS_MS, 'keys', rotateKeys);
    this.config.secretKeys.onChange(() => {
      if (!this.context.shutdown.stopping.aborted) this.begin('keys', rotateKeys);
    });
  }

  /** Ends after the parts that are running. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.running);
  }

  async maintainPartitions(now = new Date()): Promise<void> {
    const { retentionDays } = this.config;
    await this.maintain(LOG, {
      now,
      behind: LOG_WEEKS_BEHIND,
      days: retentionDays + LOG_MARGIN_DAYS,
    });
    await this.maintain(ATTEMPTS, { now, behind: 0, days: retentionDays });
    await this.partitions.clearRest(LOG.table, 'created_at', retentionDays + LOG_MARGIN_DAYS);
    await this.partitions.clearRest(ATTEMPTS.table, 'started_at', retentionDays);
  }

  async cleanUpDeliveries(): Promise<void> {
    await this.cleanup.logPreviousVersion();
    await this.cleanup.cancelForDeletedWebhooks();
    const failed = await this.cleanup.failPostponed();
    if (failed > 0) this.metrics.ended('FAILED', failed);
  }

  private async maintain(
    weekly: WeeklyTable,
    { now, behind, days }: { now: Date; behind: number; days: number },
  ): Promise<void> {
    const existing = await this.partitions.namesOf(weekly.table);
    for (let week = -behind; week <= WEEKS_AHEAD; week += 1) {
      const from = weekOf(now, week);
      const name = partitionName(weekly.table, from);
      if (existing.includes(name)) continue;
      await this.partitions.create(weekly, { name, from, to: weekOf(now, week + 1) });
    }
    for (const name of partitionsToDrop(weekly.table, existing, now, days)) {
      await this.partitions.drop(name);
    }
  }

  private every(ms: number, name: string, work: () => Promise<void>): void {
    this.begin(name, work);
    const timer = setInterval(() => {
      this.begin(name, work);
    }, ms);
    timer.unref();
    this.timers.push(timer);
  }

  private begin(name: string, work: () => Promise<void>): void {
    const done = work()
      .catch((err: unknown) => {
        this.context.logger.warn({ err, maintenance: name }, 'maintenance failed');
      })
      .finally(() => this.running.delete(done));
    this.running.add(done);
  }
}
