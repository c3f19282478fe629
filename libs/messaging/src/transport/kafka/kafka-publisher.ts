import { settlesWithin } from '@bascule/process';
import kafkajs, { type Kafka, type Producer, type TopicMessages } from 'kafkajs';
import { partitionOf } from '../partitioner.js';
import { bytesOf, RecordTooLargeError, refuseTooLarge } from '../record-size.js';
import {
  type OutgoingRecord,
  TopicsUnavailableError,
  TransportUnavailableError,
} from '../transport.js';
import type { BrokerStatus } from './broker-status.js';
import { RETRY } from './kafka-client.js';
import type { KafkaTuning } from './kafka-tuning.js';
import { describeKafkaError, isProtocolError } from './kafka-errors.js';

/** Largest request in bytes. Topics accept batches of twice their largest record, at least 1 MiB. */
const REQUEST_BYTES = 512 * 1024;
const ACKNOWLEDGE_MS = 8_000;
const DISCONNECT_MS = 2_000;
const ALL_REPLICAS = -1;
/** Errors that concern a single topic. */
const REFUSALS = [
  'UNKNOWN_TOPIC_OR_PARTITION',
  'TOPIC_AUTHORIZATION_FAILED',
  'INVALID_TOPIC_EXCEPTION',
];

/** Publishes in order, one request at a time, each acknowledged by all in-sync replicas. */
export class KafkaPublisher {
  private producer: Promise<Producer> | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly kafka: Kafka,
    private readonly status: BrokerStatus,
    private readonly tuning: Pick<KafkaTuning, 'metadataMaxAgeMs' | 'publishMs'>,
  ) {}

  publish(records: readonly OutgoingRecord[]): Promise<void> {
    const published = this.last.then(async () => {
      refuseTooLarge(records);
      const refused = new Map<string, unknown>();
      for (const part of inParts(records)) {
        await this.send(
          part.filter(({ topic }) => !refused.has(topic)),
          refused,
        );
      }
      const [[, cause] = []] = refused;
      if (refused.size === 0) return;
      throw new TopicsUnavailableError(new Set(refused.keys()), describeKafkaError(cause, []), {
        cause,
      });
    });
    this.last = published.catch(() => undefined);
    return published;
  }

  async close(): Promise<void> {
    await this.last;
    await this.forget();
  }

  /** Collects topics that the brokers refuse, with the reason. */
  private async send(
    records: readonly OutgoingRecord[],
    refused: Map<string, unknown>,
  ): Promise<void> {
    if (records.length === 0) return;
    try {
      const { publishMs } = this.tuning;
      const sending = this.sendBatch(records);
      if (!(await settlesWithin(publishMs, sending))) {
        throw new TransportUnavailableError(`Kafka: no acknowledgement within ${publishMs} ms`);
      }
      await sending;
      this.status.succeeded();
    } catch (error) {
      if (isProtocolError(error, 'MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE')) {
        return await this.sendOneByOne(records, refused, error);
      }
      // The next producer starts with new sequence numbers, since the state of this one is unknown.
      await this.forget();
      if (!isProtocolError(error, ...REFUSALS)) throw this.status.failed(error);
      const topics = [...Map.groupBy(records, ({ topic }) => topic)];
      if (topics.length > 1) for (const [, own] of topics) await this.send(own, refused);
      else for (const [topic] of topics) refused.set(topic, error);
    }
  }

  private async sendBatch(records: readonly OutgoingRecord[]): Promise<void> {
    const producer = await this.open();
    await producer.sendBatch({
      acks: ALL_REPLICAS,
      timeout: ACKNOWLEDGE_MS,
      compression: kafkajs.CompressionTypes.None,
      topicMessages: byTopic(records),
    });
  }

  /** Publishes a refused batch record by record, to find those too large for the broker. */
  private async sendOneByOne(
    records: readonly OutgoingRecord[],
    refused: Map<string, unknown>,
    cause: unknown,
  ): Promise<void> {
    if (records.length === 1) throw new RecordTooLargeError(records, { cause });
    for (const record of records) await this.send([record], refused);
  }

  private open(): Promise<Producer> {
    this.producer ??= this.connect();
    return this.producer;
  }

  private async connect(): Promise<Producer> {
    const producer = this.kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      metadataMaxAge: this.tuning.metadataMaxAgeMs,
      retry: RETRY,
      createPartitioner:
        () =>
        ({ message, partitionMetadata }) =>
          partitionOf(String(message.key), partitionMetadata.length),
    });
    await producer.connect();
    return producer;
  }

  private async forget(): Promise<void> {
    const { producer } = this;
    this.producer = null;
    const closed = producer?.then((open) => open.disconnect()) ?? Promise.resolve();
    await settlesWithin(DISCONNECT_MS, closed);
  }
}

function byTopic(records: readonly OutgoingRecord[]): TopicMessages[] {
  const topics = Map.groupBy(records, ({ topic }) => topic);
  return [...topics].map(([topic, own]) => ({
    topic,
    messages: own.map(({ key, value, headers }) => ({ key, value, headers })),
  }));
}

function* inParts(records: readonly OutgoingRecord[]): Generator<OutgoingRecord[]> {
  let part: OutgoingRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = bytesOf(record);
    if (part.length > 0 && bytes + size > REQUEST_BYTES) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(record);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
