import type { TopicDefinition } from '@bascule/contracts';
import { type DatabaseConfig, isDatabaseUnavailable } from '@bascule/persistence';
import type { Logger } from '@bascule/process';
import type { DataSource } from 'typeorm';
import {
  type OutgoingRecord,
  type SubscribeOptions,
  type Subscription,
  type Transport,
  TransportUnavailableError,
} from '../transport.js';
import { appendRecords } from './append-records.js';
import { compact } from './compaction.js';
import { EmbeddedSubscription } from './embedded-subscription.js';
import { EVENT_LOG_CHANNEL, notificationPayload } from './notifications.js';

export interface EmbeddedTransportOptions {
  dataSource: DataSource;
  database: DatabaseConfig;
  logger: Logger;
  pollMs?: number;
  fetchSize?: number;
  standbyMs?: number;
  compactionIntervalMs?: number;
  minimumCompactionLagMs?: number;
}

const DAY_MS = 86_400_000;
const DEFAULTS = {
  pollMs: 500,
  fetchSize: 100,
  standbyMs: 1_000,
  compactionIntervalMs: 3_600_000,
  minimumCompactionLagMs: 14 * DAY_MS,
};

/** A log in Postgres for a single process, or a few, without a broker. */
export class EmbeddedTransport implements Transport {
  private readonly options: EmbeddedTransportOptions & typeof DEFAULTS;
  private readonly partitions = new Map<string, number>();
  private readonly subscriptions: Subscription[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(options: EmbeddedTransportOptions) {
    this.options = { ...DEFAULTS, ...options };
    this.timer = setInterval(() => {
      this.compact().catch((error: unknown) => {
        this.options.logger.warn({ err: error }, 'compacting the event log failed');
      });
    }, this.options.compactionIntervalMs);
    this.timer.unref();
  }

  async ensureTopics(topics: readonly TopicDefinition[]): Promise<void> {
    const { dataSource } = this.options;
    await dataSource.transaction(async (manager) => {
      await manager.query(
        `INSERT INTO event_log.topics AS t (name, partitions, compacted)
         SELECT * FROM unnest($1::text[], $2::integer[], $3::boolean[])
         ON CONFLICT (name) DO UPDATE
         SET partitions = greatest(t.partitions, excluded.partitions), compacted = excluded.compacted
         WHERE t.partitions < excluded.partitions OR t.compacted <> excluded.compacted`,
        [
          topics.map((t) => t.name),
          topics.map((t) => t.partitions),
          topics.map((t) => t.compacted),
        ],
      );
      await manager.query(
        `INSERT INTO event_log.partitions (topic, partition)
         SELECT name, n - 1 FROM event_log.topics, generate_series(1, partitions) AS n
         ON CONFLICT DO NOTHING`,
      );
    });
    await this.loadPartitions();
  }

  async publish(records: readonly OutgoingRecord[]): Promise<void> {
    if (records.length === 0) return;
    const { dataSource, logger } = this.options;
    if (records.some((record) => !this.partitions.has(record.topic))) await this.loadPartitions();
    try {
      await dataSource.transaction((manager) =>
        appendRecords(manager, records, (topic) => this.partitionsOf(topic)),
      );
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      throw new TransportUnavailableError('the event log cannot be reached', { cause: error });
    }
    const topics = notificationPayload(records.map((record) => record.topic));
    dataSource
      .query('SELECT pg_notify($1, $2)', [EVENT_LOG_CHANNEL, topics])
      .catch((error: unknown) => {
        logger.debug({ err: error }, 'readers could not be notified; they poll');
      });
  }

  async subscribe(options: SubscribeOptions): Promise<Subscription> {
    const subscription = new EmbeddedSubscription({ ...this.options, ...options });
    this.subscriptions.push(subscription);
    return Promise.resolve(subscription);
  }

  /** Runs by itself every hour. */
  compact(): Promise<number> {
    return compact(this.options.dataSource, this.options.minimumCompactionLagMs);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.subscriptions.map((subscription) => subscription.close()));
  }

  private partitionsOf(topic: string): number {
    const partitions = this.partitions.get(topic);
    if (partitions === undefined) throw new Error(`the event log has no topic ${topic}`);
    return partitions;
  }

  private async loadPartitions(): Promise<void> {
    const rows: { name: string; partitions: number }[] = await this.options.dataSource.query(
      'SELECT name, partitions FROM event_log.topics',
    );
    for (const row of rows) this.partitions.set(row.name, row.partitions);
  }
}
