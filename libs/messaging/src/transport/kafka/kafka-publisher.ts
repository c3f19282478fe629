import { settlesWithin } from '@bascule/process';
import kafkajs, {
  type Kafka,
  type Producer,
  type ProducerConfig,
  type TopicMessages,
} from 'kafkajs';
import { partitionOf } from '../partitioner.js';
import { bytesOf, RecordTooLargeError, refuseTooLarge } from '../record-size.js';
import {
  type OutgoingRecord,
  type PublishFence,
  TopicsUnavailableError,
  TransportUnavailableError,
} from '../transport.js';
import type { BrokerStatus } from './broker-status.js';
import { createFencedProducer } from './fenced-producer.js';
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

export interface KafkaPublisherOptions {
  kafka: Kafka;
  /** Client id at the brokers, with which the transactional id of a fence begins. */
  clientId: string;
  status: BrokerStatus;
  tuning: Pick<KafkaTuning, 'metadataMaxAgeMs' | 'publishMs' | 'producerMaxAgeMs'>;
}

interface OpenProducer {
  fence: PublishFence | undefined;
  openedAt: number;
  producer: Promise<Producer>;
}

/**
 * Publishes in order, one request at a time, each acknowledged by all in-sync replicas. Every producer under a fence
 * has a higher epoch than those before it, in this process or another. A batch whose fate is unknown, after a timeout
 * or a change of leader, is therefore refused once a later producer wrote to its partition.
 */
export class KafkaPublisher {
  private opened: OpenProducer | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: KafkaPublisherOptions) {}

  publish(records: readonly OutgoingRecord[], fence?: PublishFence): Promise<void> {
    const published = this.last.then(async () => {
      refuseTooLarge(records);
      const refused = new Map<string, unknown>();
      for (const part of inParts(records)) {
        const rest = part.filter(({ topic }) => !refused.has(topic));
        await this.send(rest, fence, refused);
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
    fence: PublishFence | undefined,
    refused: Map<string, unknown>,
  ): Promise<void> {
    if (records.length === 0) return;
    const { publishMs } = this.options.tuning;
    const sending = this.sendBatch(records, fence);
    try {
      if (!(await settlesWithin(publishMs, sending))) {
        throw new TransportUnavailableError(`Kafka: no acknowledgement within ${publishMs} ms`);
      }
      await sending;
      this.options.status.succeeded();
    } catch (error) {
      if (isProtocolError(error, 'MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE')) {
        return await this.sendOneByOne(records, fence, refused, error);
      }
      // The next producer starts with new sequence numbers, since the state of this one is unknown.
      await this.forget(sending);
      if (!isProtocolError(error, ...REFUSALS)) throw this.options.status.failed(error);
      const topics = [...Map.groupBy(records, ({ topic }) => topic)];
      if (topics.length > 1) for (const [, own] of topics) await this.send(own, fence, refused);
      else for (const [topic] of topics) refused.set(topic, error);
    }
  }

  private async sendBatch(
    records: readonly OutgoingRecord[],
    fence: PublishFence | undefined,
  ): Promise<void> {
    const opened = await this.open(fence);
    const producer = await opened.producer;
    if (this.opened !== opened) throw new TransportUnavailableError('Kafka: connected too late');
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
    fence: PublishFence | undefined,
    refused: Map<string, unknown>,
    cause: unknown,
  ): Promise<void> {
    if (records.length === 1) throw new RecordTooLargeError(records, { cause });
    for (const record of records) await this.send([record], fence, refused);
  }

  private async open(fence: PublishFence | undefined): Promise<OpenProducer> {
    const { opened } = this;
    if (opened !== null && opened.fence === fence && !this.isOld(opened)) return opened;
    await this.forget();
    this.opened = { fence, openedAt: performance.now(), producer: this.connect(fence) };
    return this.opened;
  }

  private isOld({ openedAt }: OpenProducer): boolean {
    return performance.now() - openedAt >= this.options.tuning.producerMaxAgeMs;
  }

  private async connect(fence: PublishFence | undefined): Promise<Producer> {
    const producer = this.createProducer(fence);
    try {
      await producer.connect();
      // Asked after the epoch was given: a later leader then has a higher one.
      await fence?.assertHeld();
    } catch (error) {
      await producer.disconnect().catch(() => undefined);
      throw error;
    }
    return producer;
  }

  private createProducer(fence: PublishFence | undefined): Producer {
    const { kafka, clientId, tuning } = this.options;
    const config: ProducerConfig = {
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      metadataMaxAge: tuning.metadataMaxAgeMs,
      retry: RETRY,
      createPartitioner:
        () =>
        ({ message, partitionMetadata }) =>
          partitionOf(String(message.key), partitionMetadata.length),
    };
    return fence === undefined
      ? kafka.producer({ ...config, idempotent: true })
      : createFencedProducer(kafka, `${clientId}.${fence.name}`, config);
  }

  /** Ends the producer, once more after a send in progress: kafkajs connects again for its retries. */
  private async forget(sending?: Promise<unknown>): Promise<void> {
    const { opened } = this;
    this.opened = null;
    if (opened === null) return;
    const disconnect = () => opened.producer.then((producer) => producer.disconnect());
    await settlesWithin(DISCONNECT_MS, disconnect());
    sending
      ?.catch(() => undefined)
      .then(disconnect)
      .catch(() => undefined);
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
