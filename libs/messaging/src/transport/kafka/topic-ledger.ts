import type { TopicDefinition } from '@bascule/contracts';
import type { Kafka } from 'kafkajs';
import type { AdminClient } from './admin-client.js';
import type { BrokerStatus } from './broker-status.js';
import { KafkaPublisher } from './kafka-publisher.js';
import { DEFAULT_TUNING } from './kafka-tuning.js';
import { readTopics } from './read-topics.js';

/** Topic that stores the declared key of each topic, which Kafka does not. */
export const LEDGER: TopicDefinition = {
  name: 'bascule.topics',
  key: 'topic name',
  partitions: 1,
  cleanup: { policy: 'compact', minCompactionLagMs: 0 },
  maxMessageBytes: 1_024,
  schema: { version: 1, types: [] },
};

/** Reads the declared key of each topic. */
export class TopicLedger {
  private readonly publisher: KafkaPublisher;

  constructor(
    private readonly kafka: Kafka,
    private readonly client: AdminClient,
    status: BrokerStatus,
    private readonly clientId: string,
  ) {
    this.publisher = new KafkaPublisher({ kafka, clientId, status, tuning: DEFAULT_TUNING });
  }

  async keys(): Promise<Map<string, string>> {
    const keys = new Map<string, string>();
    await readTopics({
      kafka: this.kafka,
      client: this.client,
      groupPrefix: this.clientId,
      topics: [LEDGER.name],
      tuning: DEFAULT_TUNING,
      receiver: {
        receive: ({ records }) => {
          for (const { key, value } of records) {
            if (key !== null && value !== null) keys.set(key, value.toString('utf8'));
          }
          return Promise.resolve();
        },
      },
    });
    return keys;
  }

  remember(topics: readonly TopicDefinition[]): Promise<void> {
    return this.publisher.publish(
      topics.map(({ name, key }) => ({
        topic: LEDGER.name,
        key: name,
        headers: {},
        value: Buffer.from(key),
      })),
    );
  }

  close(): Promise<void> {
    return this.publisher.close();
  }
}
