import { settlesWithin } from '@bascule/process';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { randomUUID } from 'node:crypto';
import { addressOf } from '../offset-commits.js';
import { type ReadOptions, type TopicPartition, TransportUnavailableError } from '../transport.js';
import type { AdminClient } from './admin-client.js';
import { RETRY } from './kafka-client.js';
import { recordsOf } from './kafka-records.js';
import type { KafkaTuning } from './kafka-tuning.js';

export interface TopicReaderOptions extends ReadOptions {
  kafka: Kafka;
  client: AdminClient;
  /** Group id with the service's name as prefix, as access rules demand. */
  groupPrefix: string;
  tuning: KafkaTuning;
  /** Longest time without progress. */
  idleTimeoutMs?: number;
}

const HEARTBEAT_MS = 1_000;
const CHECK_MS = 1_000;
const IDLE_TIMEOUT_MS = 30_000;
const ATTEMPTS = 6;
const RETRY_MS = 200;

/** Offsets left to read of a partition. */
interface RemainingRange extends TopicPartition {
  next: bigint;
  end: bigint;
}

type RemainingRanges = Map<string, RemainingRange>;

/** Reads as the only member of a temporary group, as the client demands; commits nothing. */
export async function readTopics(options: TopicReaderOptions): Promise<void> {
  const remaining = await remainingRanges(options.client, options.topics);
  for (let attempt = 1; remaining.size > 0; attempt += 1) {
    const progress = { begun: false };
    try {
      await readAsGroup(remaining, options, progress);
    } catch (error) {
      // A starting coordinator rejects requests for a moment; after the first batch the receiver may have failed.
      if (progress.begun || attempt === ATTEMPTS || options.signal?.aborted === true) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt));
    }
  }
  options.signal?.throwIfAborted();
}

async function readAsGroup(
  remaining: RemainingRanges,
  options: TopicReaderOptions,
  progress: { begun: boolean },
): Promise<void> {
  const { kafka, client, groupPrefix, tuning } = options;
  const groupId = `${groupPrefix}.read.${randomUUID()}`;
  const consumer = kafka.consumer({
    groupId,
    sessionTimeout: Math.max(tuning.sessionTimeoutMs, 30_000),
    maxWaitTimeInMs: tuning.maxWaitMs,
    retry: { ...RETRY, restartOnFailure: () => Promise.resolve(false) },
  });
  try {
    await readToEnds(consumer, remaining, options, progress);
  } finally {
    await consumer.disconnect().catch(() => undefined);
    await client.use((admin) => admin.deleteGroups([groupId])).catch(() => undefined);
  }
}

/** Ends of the partitions with records. */
async function remainingRanges(
  client: AdminClient,
  topics: readonly string[],
): Promise<RemainingRanges> {
  const offsets = await client.use((admin) =>
    Promise.all(topics.map(async (topic) => ({ topic, of: await admin.fetchTopicOffsets(topic) }))),
  );
  const remaining = offsets.flatMap(({ topic, of }) =>
    of.map(({ partition, low, high }) => ({
      ...{ topic, partition, next: BigInt(low), end: BigInt(high) },
    })),
  );
  return new Map(
    remaining.filter(({ next, end }) => next < end).map((range) => [addressOf(range), range]),
  );
}

/** Skips records that retention deleted during the read. */
async function dropDeleted(remaining: RemainingRanges, client: AdminClient): Promise<void> {
  const topics = new Set([...remaining.values()].map(({ topic }) => topic));
  for (const topic of topics) {
    const offsets = await client.use((admin) => admin.fetchTopicOffsets(topic));
    for (const { partition, low } of offsets) {
      const address = addressOf({ topic, partition });
      const range = remaining.get(address);
      if (range !== undefined && range.end <= BigInt(low)) remaining.delete(address);
    }
  }
}

/** Resolves only when every end was reached: an empty fetch proves nothing. */
async function readToEnds(
  consumer: Consumer,
  remaining: RemainingRanges,
  { topics, receiver, signal, client, idleTimeoutMs = IDLE_TIMEOUT_MS }: TopicReaderOptions,
  progress: { begun: boolean },
): Promise<void> {
  let taking = 0;
  let progressAt = Date.now();
  let finish: (error?: unknown) => void = () => undefined;
  const finished = new Promise<void>((resolve, reject) => {
    finish = (error) => {
      if (error === undefined) resolve();
      else
        reject(error instanceof Error ? error : new Error('reading was aborted', { cause: error }));
    };
  });
  // It can reject before it is awaited.
  finished.catch(() => undefined);
  const abort = () => {
    finish(signal?.reason);
  };
  signal?.addEventListener('abort', abort, { once: true });
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    finish(payload.error);
  });

  const take = async (payload: EachBatchPayload): Promise<void> => {
    const { batch } = payload;
    const { topic, partition } = batch;
    const range = remaining.get(addressOf(batch));
    if (range !== undefined) {
      progress.begun = true;
      const last = BigInt(batch.lastOffset());
      // A client that rejoined reads from the start again.
      const records = recordsOf(batch).filter(
        ({ offset }) => offset >= range.next && offset < range.end,
      );
      if (records.length > 0) {
        const taken = receiver.receive({ topic, partition, records });
        while (!(await settlesWithin(HEARTBEAT_MS, taken))) await payload.heartbeat();
        await taken;
      }
      payload.resolveOffset(batch.lastOffset());
      if (last >= range.next) range.next = last + 1n;
      if (range.next < range.end) return;
      remaining.delete(addressOf(batch));
    }
    consumer.pause([{ topic, partitions: [partition] }]);
    if (remaining.size === 0) finish();
  };

  const checkProgress = async (): Promise<void> => {
    const idleMs = Date.now() - progressAt;
    if (taking > 0 || idleMs < CHECK_MS) return;
    if (idleMs > idleTimeoutMs) {
      const missing = [...remaining.keys()].join(', ');
      finish(new TransportUnavailableError(`Kafka: no progress reading ${missing}`));
    }
    await dropDeleted(remaining, client);
    if (remaining.size === 0) finish();
  };
  const timer = setInterval(() => {
    // A failed check counts as no progress.
    checkProgress().catch(() => undefined);
  }, CHECK_MS);

  const read = async (): Promise<void> => {
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: async (payload) => {
        taking += 1;
        try {
          await take(payload);
          progressAt = Date.now();
        } catch (error) {
          finish(error);
          throw error;
        } finally {
          taking -= 1;
        }
      },
    });
  };

  try {
    await Promise.all([read(), finished]);
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', abort);
  }
}
