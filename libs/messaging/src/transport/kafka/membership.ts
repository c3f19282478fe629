import { settlesWithin, type Logger } from '@bascule/process';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { addressOf, OffsetCommits, type Position } from '../offset-commits.js';
import type { RecordReceiver, TopicPartition } from '../transport.js';
import { assignerWithPreJoin } from './pre-join-assigner.js';
import type { BrokerStatus } from './broker-status.js';
import type { GroupOffsets } from './group-offsets.js';
import { RETRY } from './kafka-client.js';
import { recordsOf } from './kafka-records.js';
import type { KafkaTuning } from './kafka-tuning.js';
import { PartitionFeed } from './partition-feed.js';

export interface MembershipOptions {
  kafka: Kafka;
  group: string;
  topics: readonly string[];
  receiver: RecordReceiver;
  offsets: GroupOffsets;
  status: BrokerStatus;
  logger: Logger;
  tuning: KafkaTuning;
}

/** Longest flush of commits during a rebalance; records without a commit are redelivered. */
const FLUSH_MS = 1_000;
const LEAVE_MS = 4_000;

/**
 * Membership in a group, from joining until it leaves or its client crashes. It decides where a partition starts: the
 * client fetches a partition only after its position is set, so a fetch from before a rebalance cannot arrive after
 * it.
 */
export class Membership {
  private readonly consumer: Consumer;
  private readonly owned = new Map<string, TopicPartition>();
  private readonly feeds = new Map<string, PartitionFeed>();
  private commits: OffsetCommits;
  private generation = 0;
  private settled = false;
  private stopped = false;
  private ended = false;
  private startup: Promise<void> = Promise.resolve();
  private end: (error?: Error) => void = () => undefined;
  joined = false;
  fetchedAt: number | null = null;

  constructor(private readonly options: MembershipOptions) {
    this.commits = this.newCommits();
    this.consumer = this.createConsumer();
  }

  /** True while the member holds partitions, and during a rebalance. */
  get assigned(): boolean {
    return !this.settled || this.owned.size > 0;
  }

  /** Resolves after {@link finish}; rejects with the client's fatal error. */
  async run(): Promise<void> {
    const over = new Promise<void>((resolve, reject) => {
      this.end = (error) => {
        this.ended = true;
        if (error === undefined) resolve();
        else reject(error);
      };
    });
    this.consumer.on(this.consumer.events.CRASH, ({ payload }) => {
      this.end(payload.error);
    });
    this.startup = this.start().catch((error: unknown) => {
      this.end(asError(error));
    });
    await over;
  }

  finish(): void {
    this.end();
  }

  commit(position: Position): void {
    if (this.owned.has(addressOf(position))) this.commits.add(position);
  }

  /** Stops fetching but stays in the group to commit running work. */
  stopReading(): void {
    this.stopped = true;
    this.closeFeeds();
  }

  /** Releases all partitions and leaves the group, so that others take over at once. */
  async leave(): Promise<void> {
    this.ended = true;
    await this.revokeAll(LEAVE_MS);
    // kafkajs ignores a disconnect during a join and would stay in the group.
    const left = this.startup.then(() => this.consumer.disconnect());
    await settlesWithin(LEAVE_MS, left);
  }

  private createConsumer(): Consumer {
    const { kafka, group, tuning, status } = this.options;
    const consumer = kafka.consumer({
      groupId: group,
      partitionAssigners: [assignerWithPreJoin(() => this.preJoin())],
      sessionTimeout: tuning.sessionTimeoutMs,
      heartbeatInterval: tuning.heartbeatIntervalMs,
      rebalanceTimeout: tuning.rebalanceTimeoutMs,
      maxWaitTimeInMs: tuning.maxWaitMs,
      metadataMaxAge: tuning.metadataMaxAgeMs,
      allowAutoTopicCreation: false,
      // The subscription rejoins, whatever the error.
      retry: { ...RETRY, restartOnFailure: () => Promise.resolve(false) },
    });
    consumer.on(consumer.events.REQUEST, ({ payload }) => {
      if (payload.apiName !== 'Fetch') return;
      status.succeeded();
      this.fetchedAt = Date.now();
    });
    consumer.on(consumer.events.FETCH, () => {
      // kafkajs sends no fetch while every partition is full.
      if ([...this.feeds.values()].every((feed) => feed.isFull)) this.fetchedAt = Date.now();
    });
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      this.joined = true;
      const assigned = Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
        partitions.map((partition) => ({ topic, partition })),
      );
      this.assign(assigned).catch((error: unknown) => {
        this.end(asError(error));
      });
    });
    return consumer;
  }

  private async start(): Promise<void> {
    const { consumer } = this;
    await consumer.connect();
    if (!this.ended) {
      await consumer.subscribe({ topics: [...this.options.topics], fromBeginning: true });
    }
    if (!this.ended) {
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        eachBatch: (payload) => Promise.resolve(this.take(payload)),
      });
    }
  }

  private async assign(assigned: readonly TopicPartition[]): Promise<void> {
    const generation = ++this.generation;
    for (const partition of assigned) this.consumer.pause([asTopic(partition)]);
    const positions = new Map(
      (await this.options.offsets.current()).map((p) => [addressOf(p), p.committed]),
    );
    if (generation !== this.generation || this.ended) return;
    for (const partition of assigned) {
      const address = addressOf(partition);
      const offset = String(positions.get(address) ?? 0n);
      this.owned.set(address, partition);
      this.consumer.seek({ ...partition, offset });
      if (this.stopped) continue;
      this.feeds.set(address, this.newFeed(partition));
      this.consumer.resume([asTopic(partition)]);
    }
    this.settled = true;
  }

  private take(payload: EachBatchPayload): void {
    const { batch } = payload;
    const feed = this.feeds.get(addressOf(batch));
    // Fetched before the last rebalance, or owned by another member.
    if (feed === undefined || payload.isStale()) return;
    payload.resolveOffset(batch.lastOffset());
    const { topic, partition } = batch;
    feed.offer({ topic, partition, records: recordsOf(batch) });
  }

  private newFeed(partition: TopicPartition): PartitionFeed {
    const { receiver, logger } = this.options;
    const generation = this.generation;
    const current = () => generation === this.generation && !this.ended && !this.stopped;
    return new PartitionFeed({
      receive: (batch) => receiver.receive(batch),
      onFull: () => {
        if (current()) this.consumer.pause([asTopic(partition)]);
      },
      onRoom: () => {
        if (current()) this.consumer.resume([asTopic(partition)]);
      },
      onRefused: (error) => {
        logger.error({ err: error, ...partition }, 'batch not accepted by the receiver');
        // Continuing after it would commit past it.
        this.end(new Error('batch not accepted by the receiver', { cause: error }));
      },
    });
  }

  private async preJoin(): Promise<void> {
    if (this.ended) throw new Error('the member is leaving the group');
    await this.revokeAll(FLUSH_MS);
  }

  /** Releases partitions before or right after the group reassigns them. */
  private async revokeAll(flushMs: number): Promise<void> {
    const { receiver, tuning, logger } = this.options;
    this.generation += 1;
    this.settled = false;
    this.closeFeeds();
    if (this.owned.size === 0) return;
    const partitions = [...this.owned.values()];
    const released = receiver.release(partitions);
    if (!(await settlesWithin(tuning.releaseTimeoutMs, released))) {
      logger.warn(
        { partitions: partitions.length },
        'handlers still running in revoked partitions',
      );
    }
    await settlesWithin(flushMs, this.commits.flush());
    this.owned.clear();
    this.commits.end();
    this.commits = this.newCommits();
  }

  private closeFeeds(): void {
    for (const feed of this.feeds.values()) feed.close();
    this.feeds.clear();
  }

  private newCommits(): OffsetCommits {
    return new OffsetCommits(
      (positions) =>
        this.consumer.commitOffsets(
          positions.map(({ topic, partition, next }) => ({
            topic,
            partition,
            offset: String(next),
          })),
        ),
      this.options.logger,
    );
  }
}

const asTopic = ({ topic, partition }: TopicPartition) => ({ topic, partitions: [partition] });

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));
