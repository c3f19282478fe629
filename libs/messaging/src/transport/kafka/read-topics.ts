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
  silentMs?: number;
}

const HEARTBEAT_MS = 1_000;
const LOOK_MS = 1_000;
const SILENT_MS = 30_000;
const ATTEMPTS = 6;
const AGAIN_MS = 200;

/** Offsets left to read of a partition. */
interface Rest extends TopicPartition {
  next: bigint;
  end: bigint;
}

type Rests = Map<string, Rest>;

/** Reads as the only member of a temporary group, as the client demands; commits nothing. */
export async function readTopics(options: TopicReaderOptions): Promise<void> {
  const rests = await restsOf(options.client, options.topics);
  for (let attempt = 1; rests.size > 0; attempt += 1) {
    const progress = { begun: false };
    try {
      await readAsGroup(rests, options, progress);
    } catch (error) {
      // A coordinator that has just come up refuses for a moment; later, the receiver may be the one that failed.
      if (progress.begun || attempt === ATTEMPTS || options.signal?.aborted === true) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS * attempt));
    }
  }
  options.signal?.throwIfAborted();
}

async function readAsGroup(
  rests: Rests,
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
    await readToEnds(consumer, rests, options, progress);
  } finally {
    await consumer.disconnect().catch(() => undefined);
    await client.use((admin) => admin.deleteGroups([groupId])).catch(() => undefined);
  }
}

/** Ends of the partitions with records. */
async function restsOf(client: AdminClient, topics: readonly string[]): Promise<Rests> {
  const offsets = await client.use((admin) =>
    Promise.all(topics.map(async (topic) => ({ topic, of: await admin.fetchTopicOffsets(topic) }))),
  );
  const rests = offsets.flatMap(({ topic, of }) =>
    of.map(({ partition, low, high }) => ({
      ...{ topic, partition, next: BigInt(low), end: BigInt(high) },
    })),
  );
  return new Map(
    rests.filter(({ next, end }) => next < end).map((rest) => [addressOf(rest), rest]),
  );
}

/** Skips records that retention deleted during the read. */
async function dropDeleted(rests: Rests, client: AdminClient): Promise<void> {
  const topics = new Set([...rests.values()].map(({ topic }) => topic));
  for (const topic of topics) {
    const offsets = await client.use((admin) => admin.fetchTopicOffsets(topic));
    for (const { partition, low } of offsets) {
      const address = addressOf({ topic, partition });
      const rest = rests.get(address);
      if (rest !== undefined && rest.end <= BigInt(low)) rests.delete(address);
    }
  }
}

/** Resolves only when every end was reached: an empty fetch proves nothing. */
async function readToEnds(
  consumer: Consumer,
  rests: Rests,
  { topics, receiver, signal, client, silentMs = SILENT_MS }: TopicReaderOptions,
  progress: { begun: boolean },
): Promise<void> {
  let taking = 0;
  let heardAt = Date.now();
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

  const take = async (payload: EachBatchPayload): Promise<void> => {
    const { batch } = payload;
    const { topic, partition } = batch;
    const rest = rests.get(addressOf(batch));
    if (rest !== undefined) {
      progress.begun = true;
      const last = BigInt(batch.lastOffset());
      // A client that had to join again begins anew.
      const records = recordsOf(batch).filter(
        ({ offset }) => offset >= rest.next && offset < rest.end,
      );
      if (records.length > 0) {
        const taken = receiver.receive({ topic, partition, records });
        while (!(await settlesWithin(HEARTBEAT_MS, taken))) await payload.heartbeat();
        await taken;
      }
      payload.resolveOffset(batch.lastOffset());
      if (last >= rest.next) rest.next = last + 1n;
      if (rest.next < rest.end) return;
      rests.delete(addressOf(batch));
    }
    consumer.pause([{ topic, partitions: [partition] }]);
    if (rests.size === 0) finish();
  };

  const look = async (): Promise<void> => {
    const silence = Date.now() - heardAt;
    if (taking > 0 || silence < LOOK_MS) return;
    if (silence > silentMs) {
      const missing = [...rests.keys()].join(', ');
      finish(new TransportUnavailableError(`Kafka: nothing more comes of ${missing}`));
    }
    await dropDeleted(rests, client);
    if (rests.size === 0) finish();
  };
  const timer = setInterval(() => {
    // Who cannot be asked does not bring anything either.
    look().catch(() => undefined);
  }, LOOK_MS);

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
          heardAt = Date.now();
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
