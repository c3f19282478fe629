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
const ATTEMPTS = 6;
const AGAIN_MS = 200;

/** The client reads only as a member of a group: this one is of one member, commits nothing and is forgotten. */
export async function readTopics(options: TopicReaderOptions): Promise<void> {
  const ends = await endsOf(options.client, options.topics);
  for (let attempt = 1; ends.size > 0; attempt += 1) {
    const progress = { begun: false };
    try {
      await readAsGroup(ends, options, progress);
      break;
    } catch (error) {
      // A coordinator that has just come up refuses for a moment; later, the receiver would get everything twice.
      if (progress.begun || attempt === ATTEMPTS || options.signal?.aborted === true) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS * attempt));
    }
  }
  options.signal?.throwIfAborted();
}

async function readAsGroup(
  ends: Map<string, bigint>,
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
    await readToEnds(consumer, ends, options, progress);
  } finally {
    await consumer.disconnect().catch(() => undefined);
    await client.use((admin) => admin.deleteGroups([groupId])).catch(() => undefined);
  }
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
  progress: { begun: boolean },
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
  // It can fail before anybody waits for it.
  finished.catch(() => undefined);
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
    progress.begun = true;
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
  }
}
