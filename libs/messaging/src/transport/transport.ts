import type { TopicDefinition } from '@bascule/contracts';
import type { LeaseFence } from '@bascule/persistence';

/** Records of one key keep their order within a topic. A null value is a tombstone. */
export interface OutgoingRecord {
  topic: string;
  key: string;
  headers: Record<string, string>;
  value: Buffer | null;
}

/** Leadership under which records are published. The lease is a row beside the outbox, named like it. */
export interface PublishFence extends LeaseFence {
  /** @throws LeaseLostError when another process may lead */
  assertHeld(): Promise<void>;
}

export interface TopicPartition {
  topic: string;
  partition: number;
}

export interface IncomingRecord extends TopicPartition {
  offset: bigint;
  key: string | null;
  headers: Record<string, string>;
  value: Buffer | null;
}

/** Records of one partition, in the order of their offsets, which may have gaps. */
export interface RecordBatch extends TopicPartition {
  records: IncomingRecord[];
}

/** Receives the records of a subscription. */
export interface RecordReceiver {
  /** Resolves when there is room for more of this partition, not when the records are handled. */
  receive(batch: RecordBatch): Promise<void>;
  /** Releases partitions. Resolves when none of their records is being handled. */
  release(partitions: readonly TopicPartition[]): Promise<void>;
}

export interface PartitionProgress extends TopicPartition {
  /** Next offset that the group reads after a restart. */
  committed: bigint;
  /** Offset of the next published record. */
  end: bigint;
}

export interface SubscriptionState {
  /** False while other members hold all partitions. */
  assigned: boolean;
  /** True since the group was first joined. */
  joined: boolean;
  /** Time of the last successful fetch, by this process's clock; null before the first. */
  fetchedAt: number | null;
  /** Whether the last request reached the broker; true before the first. */
  brokerReachable: boolean;
}

export interface Subscription {
  /** Commits all offsets below `next`, soon and in order. */
  commit(position: TopicPartition & { next: bigint }): void;
  /** @throws TransportUnavailableError */
  progress(): Promise<PartitionProgress[]>;
  state(): SubscriptionState;
  /** Restarts in place at the last commits. */
  restart(): Promise<void>;
  /** Stops reading; commits are still written. */
  stop(): Promise<void>;
  /** Writes the last commits and leaves the group. */
  close(): Promise<void>;
}

export interface SubscribeOptions {
  group: string;
  topics: readonly string[];
  receiver: RecordReceiver;
}

export interface ReadOptions {
  topics: readonly string[];
  /** Receiver whose `release` is never called. */
  receiver: Pick<RecordReceiver, 'receive'>;
  signal?: AbortSignal;
}

/**
 * Carries events between services. A new group starts at a topic's first record. Delivery is at least once: uncommitted
 * records are redelivered in order after a restart or a rebalance.
 */
export interface Transport {
  /**
   * Lists deviations of the broker from the declaration, one sentence each; services never create topics.
   *
   * @throws TransportUnavailableError with the reason why the broker could not be asked
   */
  missingTopics(topics: readonly TopicDefinition[]): Promise<string[]>;
  /**
   * Resolves when all records are durable. After a failure some may have been published. Under a fence, records of an
   * earlier holder of its lease do not land behind those of a later one, however late they arrive.
   *
   * @throws RecordTooLargeError before anything is published
   * @throws TopicsUnavailableError when everything else was published
   * @throws LeaseLostError when the fence is no longer held
   * @throws TransportUnavailableError
   */
  publish(records: readonly OutgoingRecord[], fence?: PublishFence): Promise<void>;
  /** Resolves at once; an unreachable broker is retried without end. */
  subscribe(options: SubscribeOptions): Promise<Subscription>;
  /**
   * Reads outside any group, from the first record to the ends noted at the call, and resolves when the receiver has
   * taken all of them. Commits of groups are neither used nor changed.
   *
   * @throws TransportUnavailableError, or the signal's reason
   */
  read(options: ReadOptions): Promise<void>;
  close(): Promise<void>;
}

export interface TopicChange {
  topic: string;
  /** Change made, or planned in a dry run. */
  change: string;
}

/** Changes the broker's topics as declared; a step of a deployment, never of a service. */
export interface TopicAdministration {
  /** @throws TopicsRefusedError with every reason, before anything is changed */
  apply(topics: readonly TopicDefinition[], options?: { dryRun?: boolean }): Promise<TopicChange[]>;
  close(): Promise<void>;
}

/** Injection token. */
export const TRANSPORT = Symbol('TRANSPORT');

/** Broker temporarily unavailable. */
export class TransportUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TransportUnavailableError';
  }
}

/** Topics that do not exist, or that the service may not write to. */
export class TopicsUnavailableError extends TransportUnavailableError {
  constructor(
    readonly topics: ReadonlySet<string>,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`cannot publish to ${[...topics].sort().join(', ')}: ${reason}`, options);
    this.name = 'TopicsUnavailableError';
  }
}

/** Declared change that is impossible for a topic with records. */
export class TopicsRefusedError extends Error {
  constructor(readonly reasons: readonly string[]) {
    super(reasons.join('\n'));
    this.name = 'TopicsRefusedError';
  }
}
