import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { randomUUID } from 'node:crypto';
import { addressOf } from '../offset-commits.js';
import type { ReadOptions } from '../transport.js';
import { finishedWithin } from '../within.js';
import type { AdminClient } from './admin-client.js';
import { RETRY } from './kafka-client.js';
import { recordsOf } from './kafka-records.js';
import type { KafkaTuning } from './kafka-tuning.js';

export interface TopicReaderOptions extends ReadOptions {
  kafka: Kafka;
  client: AdminClient;
  /** Groups of brokers with access rules are allowed by prefix. */
  groupPrefix: string;
  tuning: KafkaTuning;
}

const HEARTBEAT_MS = 1_000;
/** Records before a noted end can all be gone by compaction: fetches that bring nothing tell. */
const EMPTY_FETCHES = 40;

/** The client reads only as a member of a group: this one is of one member, commits nothing and is forgotten. */
export async function readTopics(options: TopicReaderOptions): Promise<void> {
  const { kafka, client, groupPrefix, topics, tuning, signal } = options;
  const ends = await endsOf(client, topics);
  if (ends.size === 0) return;
  const groupId = `${groupPrefix}.read.${randomUUID()}`;
  const consumer = kafka.consumer({
    groupId,
    sessionTimeout: Math.max(tuning.sessionTimeoutMs, 30_000),
    maxWaitTimeInMs: tuning.maxWaitMs,
    retry: { ...RETRY, restartOnFailure: () => Promise.resolve(false) },
  });
  try {
    await readToEnds(consumer, ends, options);
  } finally {
    await consumer.disconnect().catch(() => undefined);
    await client.use((admin) => admin.deleteGroups([groupId])).catch(() => undefined);
  }
  signal?.throwIfAborted();
}

async function endsOf(
  client: AdminClient,
  topics: readonly string[],
): Promise<Map<string, bigint>> {
  const ends = await client.use((admin) =>
    Promise.all(topics.map(async (topic) => ({ topic, of: await admin.fetchTopicOffsets(topic) }))),
  );
  return new Map(
    ends.flatMap(({ topic, of }) =>
      of
        .filter(({ low, high }) => BigInt(low) < BigInt(high))
        .map(({ partition, high }) => [addressOf({ topic, partition }), BigInt(high)] as const),
    ),
  );
}

async function readToEnds(
  consumer: Consumer,
  ends: Map<string, bigint>,
  { topics, receiver, signal }: TopicReaderOptions,
): Promise<void> {
  let emptyFetches = 0;
  let finish: (error?: unknown) => void = () => undefined;
  const finished = new Promise<void>((resolve, reject) => {
    finish = (error) => {
      if (error === undefined) resolve();
      else
        reject(
          error instanceof Error ? error : new Error('reading was given up', { cause: error }),
        );
    };
  });
  const abort = () => {
    finish(signal?.reason);
  };
  signal?.addEventListener('abort', abort, { once: true });
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    finish(payload.error);
  });
  consumer.on(consumer.events.FETCH, () => {
    emptyFetches += 1;
    if (emptyFetches > EMPTY_FETCHES) finish();
  });

  const take = async (payload: EachBatchPayload): Promise<void> => {
    const { batch } = payload;
    const { topic, partition } = batch;
    const end = ends.get(addressOf(batch));
    if (end === undefined) return;
    const records = recordsOf(batch).filter(({ offset }) => offset < end);
    const taken = receiver.receive({ topic, partition, records });
    while (!(await finishedWithin(HEARTBEAT_MS, taken))) await payload.heartbeat();
    await taken;
    emptyFetches = 0;
    payload.resolveOffset(batch.lastOffset());
    if (BigInt(batch.lastOffset()) + 1n < end) return;
    ends.delete(addressOf(batch));
    consumer.pause([{ topic, partitions: [partition] }]);
    if (ends.size === 0) finish();
  };

  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: (payload) =>
        take(payload).catch((error: unknown) => {
          finish(error);
          throw error;
        }),
    });
    await finished;
  } finally {
    signal?.removeEventListener('abort', abort);
    finished.catch(() => undefined);
  }
}
