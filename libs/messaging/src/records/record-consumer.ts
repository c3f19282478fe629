import type {
  IncomingRecord,
  RecordBatch,
  RecordReceiver,
  Subscription,
  TopicPartition,
} from '../transport/transport.js';
import { KeyedQueue } from './keyed-queue.js';
import { OffsetWindow } from './offset-window.js';

export interface RecordConsumerOptions {
  /** Prepares a batch before its records are handled. */
  prepare: (batch: RecordBatch) => Promise<void>;
  /**
   * Resolves when the record is finished for good; rejects only when it stays unfinished. The signal aborts once its
   * partition is released.
   */
  process: (record: IncomingRecord, released: AbortSignal) => Promise<void>;
  /** Records of one topic handled concurrently, each of another key. */
  concurrency: number;
  /** Records of one partition in flight. */
  windowSize: number;
}

interface PartitionWork {
  address: TopicPartition;
  window: OffsetWindow;
  released: AbortController;
  room: (() => void)[];
}

/** Handles keys concurrently and each key in order; commits finished records only. */
export class RecordConsumer implements RecordReceiver {
  private readonly queues = new Map<string, KeyedQueue>();
  private readonly partitions = new Map<string, PartitionWork>();
  private readonly running = new Map<Promise<void>, PartitionWork>();
  private subscription: Subscription | undefined;
  private stopped = false;

  constructor(private readonly options: RecordConsumerOptions) {}

  attach(subscription: Subscription): void {
    this.subscription = subscription;
  }

  async receive(batch: RecordBatch): Promise<void> {
    const work = this.workOf(batch);
    await this.options.prepare(batch);
    if (this.isOver(work)) return;
    const queue = this.queueOf(batch.topic);
    for (const record of batch.records) {
      if (!work.window.take(record.offset)) continue;
      queue.add(record.key ?? `partition ${record.partition}`, () => this.run(work, record));
    }
    while (work.window.size >= this.options.windowSize && !this.isOver(work)) {
      await new Promise<void>((resolve) => work.room.push(resolve));
    }
  }

  async release(partitions: readonly TopicPartition[]): Promise<void> {
    const released = partitions
      .map((partition) => this.partitions.get(addressOf(partition)))
      .filter((work) => work !== undefined);
    for (const work of released) {
      work.released.abort();
      this.partitions.delete(addressOf(work.address));
      makeRoom(work);
    }
    const theirs = [...this.running].filter(([, work]) => isReleased(work));
    await Promise.all(theirs.map(([run]) => run));
  }

  /** Resolves when all records in flight are finished, or {@link stop} was called. */
  async finished(): Promise<void> {
    for (const work of this.partitions.values()) {
      while (work.window.size > 0 && !this.isOver(work)) {
        await new Promise<void>((resolve) => work.room.push(resolve));
      }
    }
  }

  /** Stops starting handlers. */
  stop(): void {
    this.stopped = true;
    for (const work of this.partitions.values()) makeRoom(work);
  }

  /** Resolves after {@link stop} when running handlers are finished. */
  async drain(): Promise<void> {
    await Promise.all(this.running.keys());
  }

  private async run(work: PartitionWork, record: IncomingRecord): Promise<void> {
    if (this.isOver(work)) return;
    const run = this.options.process(record, work.released.signal).then(
      () => {
        this.finish(work, record);
      },
      // Unfinished: it is redelivered after a restart, with all records behind it.
      () => undefined,
    );
    this.running.set(run, work);
    await run;
    this.running.delete(run);
  }

  private finish(work: PartitionWork, record: IncomingRecord): void {
    const next = work.window.finish(record.offset);
    if (next === null || !this.isLatest(work)) return;
    this.subscription?.commit({ topic: record.topic, partition: record.partition, next });
    makeRoom(work);
  }

  /** Commits a finished record of a released partition too, unless the partition came back and is ahead. */
  private isLatest(work: PartitionWork): boolean {
    return (this.partitions.get(addressOf(work.address)) ?? work) === work;
  }

  private isOver(work: PartitionWork): boolean {
    return this.stopped || isReleased(work);
  }

  private workOf(batch: RecordBatch): PartitionWork {
    const address = addressOf(batch);
    const existing = this.partitions.get(address);
    if (existing !== undefined) return existing;
    const work: PartitionWork = {
      address: { topic: batch.topic, partition: batch.partition },
      window: new OffsetWindow(),
      released: new AbortController(),
      room: [],
    };
    this.partitions.set(address, work);
    return work;
  }

  private queueOf(topic: string): KeyedQueue {
    const queue = this.queues.get(topic) ?? new KeyedQueue(this.options.concurrency);
    this.queues.set(topic, queue);
    return queue;
  }
}

const isReleased = ({ released }: PartitionWork): boolean => released.signal.aborted;

const addressOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

function makeRoom(work: PartitionWork): void {
  for (const resolve of work.room.splice(0)) resolve();
}
