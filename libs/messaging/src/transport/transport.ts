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
  /** False while another process of the group has the work. */
  assigned: boolean;
  /** When records were last asked for successfully, by this process's clock; null before the first time. */
  fetchedAt: number | null;
}

export interface Subscription {
  /** Everything of the partition below `next` is finished. Written soon, never out of order. */
  commit(position: TopicPartition & { next: bigint }): void;
  progress(): Promise<PartitionProgress[]>;
  state(): SubscriptionState;
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

/**
 * What carries events between services. A group that is new to a topic starts at its first record. Delivery is at
 * least once: what was not committed comes again, in order, after a restart or a change of hands.
 */
export interface Transport {
  /** Creates what is missing, or fails where only an operator may. */
  ensureTopics(topics: readonly TopicDefinition[]): Promise<void>;
  /** Resolves when all records are durable. After a failure some may have been published. */
  publish(records: readonly OutgoingRecord[]): Promise<void>;
  subscribe(options: SubscribeOptions): Promise<Subscription>;
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
