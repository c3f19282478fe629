import type { TopicDefinition } from '@bascule/contracts';
import type { Logger } from '@bascule/process';
import type { Kafka } from 'kafkajs';
import { contradictionsOf } from '../topic-comparison.js';
import type {
  OutgoingRecord,
  PublishFence,
  ReadOptions,
  SubscribeOptions,
  Subscription,
  Transport,
} from '../transport.js';
import { AdminClient } from './admin-client.js';
import { BrokerStatus } from './broker-status.js';
import { GroupOffsets } from './group-offsets.js';
import { createClient } from './kafka-client.js';
import type { KafkaConfig } from './kafka-config.js';
import { KafkaPublisher } from './kafka-publisher.js';
import { KafkaSubscription } from './kafka-subscription.js';
import { DEFAULT_TUNING, type KafkaTuning } from './kafka-tuning.js';
import { presentTopics } from './present-topics.js';
import { readTopics } from './read-topics.js';

export interface KafkaTransportOptions {
  kafka: KafkaConfig;
  /** Client id at the brokers: the service's name. */
  clientId: string;
  logger: Logger;
  tuning?: Partial<KafkaTuning>;
}

/** Transport over Kafka by kafkajs, which is used in this folder only. */
export class KafkaTransport implements Transport {
  private readonly kafka: Kafka;
  private readonly tuning: KafkaTuning;
  private readonly status: BrokerStatus;
  private readonly client: AdminClient;
  private readonly publisher: KafkaPublisher;
  private readonly subscriptions: Subscription[] = [];

  constructor(private readonly options: KafkaTransportOptions) {
    const { kafka, clientId, logger } = options;
    this.tuning = { ...DEFAULT_TUNING, ...options.tuning };
    this.kafka = createClient(kafka, clientId, logger);
    this.status = new BrokerStatus(kafka.brokers, logger);
    this.client = new AdminClient(this.kafka, this.status, this.tuning.metadataMaxAgeMs);
    const { status, tuning } = this;
    this.publisher = new KafkaPublisher({ kafka: this.kafka, clientId, status, tuning });
  }

  async missingTopics(topics: readonly TopicDefinition[]): Promise<string[]> {
    const names = topics.map(({ name }) => name);
    const present = await this.client.use((admin) => presentTopics(admin, names));
    return topics.flatMap((topic) => contradictionsOf(topic, present.get(topic.name)));
  }

  publish(records: readonly OutgoingRecord[], fence?: PublishFence): Promise<void> {
    return this.publisher.publish(records, fence);
  }

  subscribe({ group, topics, receiver }: SubscribeOptions): Promise<Subscription> {
    const { kafka, status, tuning, client } = this;
    const { logger } = this.options;
    const offsets = new GroupOffsets(client, group, topics);
    const subscription = new KafkaSubscription({
      ...{ kafka, group, topics, receiver, offsets, status, logger, tuning },
    });
    this.subscriptions.push(subscription);
    return Promise.resolve(subscription);
  }

  async read(options: ReadOptions): Promise<void> {
    const { kafka, client, tuning } = this;
    const groupPrefix = this.options.clientId;
    try {
      await readTopics({ ...options, kafka, client, tuning, groupPrefix });
    } catch (error) {
      throw this.status.failed(error);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.subscriptions.map((subscription) => subscription.close()));
    await this.publisher.close();
    await this.client.close();
  }
}
