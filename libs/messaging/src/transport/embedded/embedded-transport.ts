import type { TopicDefinition } from '@bascule/contracts';
import { type DatabaseConfig, isDatabaseUnavailable } from '@bascule/persistence';
import type { Logger } from '@bascule/process';
import type { DataSource } from 'typeorm';
import { refuseTooLarge } from '../record-size.js';
import { contradictionsOf } from '../topic-comparison.js';
import {
  type OutgoingRecord,
  type PublishFence,
  type ReadOptions,
  type SubscribeOptions,
  type Subscription,
  TopicsUnavailableError,
  type Transport,
  TransportUnavailableError,
} from '../transport.js';
import { appendRecords } from './append-records.js';
import { cleanUp } from './clean-up.js';
import { EmbeddedSubscription } from './embedded-subscription.js';
import { loadTopics } from './log-topics.js';
import { PartitionCounts } from './partition-counts.js';
import { readLog } from './read-log.js';

export interface EmbeddedTransportOptions {
  dataSource: DataSource;
  database: DatabaseConfig;
  logger: Logger;
  pollMs?: number;
  fetchSize?: number;
  standbyMs?: number;
  cleanUpIntervalMs?: number;
  /** Age at which cached partition counts are refreshed. */
  partitionsMaxAgeMs?: number;
}

const DEFAULTS = {
  pollMs: 500,
  fetchSize: 100,
  standbyMs: 1_000,
  cleanUpIntervalMs: 3_600_000,
  partitionsMaxAgeMs: 10_000,
};

/** Transport over a log in Postgres, for few processes and without a broker. */
export class EmbeddedTransport implements Transport {
  private readonly options: EmbeddedTransportOptions & typeof DEFAULTS;
  private readonly partitions: PartitionCounts;
  private readonly subscriptions: Subscription[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(options: EmbeddedTransportOptions) {
    this.options = { ...DEFAULTS, ...options };
    this.partitions = new PartitionCounts(options.dataSource, this.options.partitionsMaxAgeMs);
    this.timer = setInterval(() => {
      this.cleanUp().catch((error: unknown) => {
        this.options.logger.warn({ err: error }, 'cleaning up the event log failed');
      });
    }, this.options.cleanUpIntervalMs);
    this.timer.unref();
  }

  async missingTopics(topics: readonly TopicDefinition[]): Promise<string[]> {
    const present = await this.available(() => loadTopics(this.options.dataSource));
    return topics.flatMap((topic) => contradictionsOf(topic, present.get(topic.name)));
  }

  async publish(records: readonly OutgoingRecord[], fence?: PublishFence): Promise<void> {
    if (records.length === 0) return;
    refuseTooLarge(records);
    const topics = new Set(records.map(({ topic }) => topic));
    await this.available(() => this.partitions.load([...topics]));
    const missing = new Set([...topics].filter((topic) => !this.partitions.has(topic)));
    const present = records.filter(({ topic }) => !missing.has(topic));
    await this.append(present, fence);
    if (missing.size > 0) throw new TopicsUnavailableError(missing, 'not in the event log');
  }

  async subscribe(options: SubscribeOptions): Promise<Subscription> {
    const subscription = new EmbeddedSubscription({ ...this.options, ...options });
    this.subscriptions.push(subscription);
    return Promise.resolve(subscription);
  }

  async read({ topics, receiver, signal }: ReadOptions): Promise<void> {
    const { dataSource, fetchSize } = this.options;
    await this.available(() => readLog({ dataSource, fetchSize, topics, receiver, signal }));
  }

  /** Deletes expired records; runs every hour. */
  cleanUp(): Promise<number> {
    return cleanUp(this.options.dataSource);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.subscriptions.map((subscription) => subscription.close()));
  }

  private async append(
    records: readonly OutgoingRecord[],
    fence: PublishFence | undefined,
  ): Promise<void> {
    if (records.length === 0) return;
    const { dataSource } = this.options;
    const partitionsOf = (topic: string) => this.partitions.of(topic);
    await this.available(() => appendRecords({ dataSource, records, partitionsOf, fence }));
  }

  private async available<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      throw new TransportUnavailableError('the event log cannot be reached', { cause: error });
    }
  }
}
