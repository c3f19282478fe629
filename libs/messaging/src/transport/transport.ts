import type { TopicDefinition } from '@bascule/contracts';

/** Records of one key keep their order within a topic. A null value is a tombstone. */
export interface OutgoingRecord {
  topic: string;
  key: string;
  headers: Record<string, string>;
  value: Buffer | null;
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

/** Takes what a subscription reads. */
export interface RecordReceiver {
  /** Resolves when there is room for more of this partition, not when the records are handled. */
  receive(batch: RecordBatch): Promise<void>;
  /** The partitions belong to somebody else from now on. Resolves when nothing of theirs is being handled any more. */
  release(partitions: readonly TopicPartition[]): Promise<void>;
}

export interface PartitionProgress extends TopicPartition {
  /** The next offset the group will read after a restart. */
  committed: bigint;
  /** The offset the next published record gets. */
  end: bigint;
}

export interface SubscriptionState {
  /** False while others of the group have all the work. */
  assigned: boolean;
  /** True once the group was joined, and ever after. */
  joined: boolean;
  /** When records were last asked for successfully, by this process's clock; null before the first time. */
  fetchedAt: number | null;
  /** What the last request found; true before the first one. */
  brokerReachable: boolean;
}

export interface Subscription {
  /** Everything of the partition below `next` is finished. Written soon, never out of order. */
  commit(position: TopicPartition & { next: bigint }): void;
  /** @throws TransportUnavailableError */
  progress(): Promise<PartitionProgress[]>;
  state(): SubscriptionState;
  /** Begins again in place, at the last commits, as a new process would. */
  restart(): Promise<void>;
  /** Reads no more; commits still count. */
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
  /** Is never told to release. */
  receiver: Pick<RecordReceiver, 'receive'>;
  signal?: AbortSignal;
}

/**
 * What carries events between services. A group that is new to a topic starts at its first record. Delivery is at
 * least once: what was not committed comes again, in order, after a restart or a change of hands.
 */
export interface Transport {
  /**
   * What the broker lacks of the declaration, a sentence each; services never create topics.
   *
   * @throws TransportUnavailableError whose message says why nobody could be asked
   */
  missingTopics(topics: readonly TopicDefinition[]): Promise<string[]>;
  /**
   * Resolves when all records are durable. After a failure some may have been published.
   *
   * @throws RecordTooLargeError before anything is published
   * @throws TopicsUnavailableError when everything else was published
   * @throws TransportUnavailableError
   */
  publish(records: readonly OutgoingRecord[]): Promise<void>;
  /** Resolves at once: a broker that cannot be reached is tried again for ever. */
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
  /** What was done, or would be in a dry run. */
  change: string;
}

/** Changes the broker's topics to what is declared: a step of a deployment, never of a service. */
export interface TopicAdministration {
  /** @throws TopicsRefusedError with every reason, before anything is changed */
  apply(topics: readonly TopicDefinition[], options?: { dryRun?: boolean }): Promise<TopicChange[]>;
  close(): Promise<void>;
}

/** Injection token. */
export const TRANSPORT = Symbol('TRANSPORT');

/** The broker cannot serve now. */
export class TransportUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TransportUnavailableError';
  }
}

/** Nothing is taken for these topics: they are not there, or this service may not write to them. */
export class TopicsUnavailableError extends TransportUnavailableError {
  constructor(
    readonly topics: ReadonlySet<string>,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`nothing is taken for ${[...topics].sort().join(', ')}: ${reason}`, options);
    this.name = 'TopicsUnavailableError';
  }
}

/** The declaration asks for what cannot be done to a topic that has records. */
export class TopicsRefusedError extends Error {
  constructor(readonly reasons: readonly string[]) {
    super(reasons.join('\n'));
    this.name = 'TopicsRefusedError';
  }
}
