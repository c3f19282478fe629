import {
  type Conditions,
  describeConsumerContract,
  describeFailureContract,
  describeGroupContract,
  describeProjectionContract,
  describePublishingContract,
  describeReadingContract,
  describeTransportContract,
  messagingFixture,
  type TransportHarness,
} from '@bascule/messaging-testing';
import { createLogger } from '@bascule/process';
import { testKafka } from '@bascule/testing';
import { KafkaTopics } from './kafka-topics.js';
import type { KafkaTuning } from './kafka-tuning.js';
import { KafkaTransport } from './kafka-transport.js';

const tuningOf = ({
  // Long enough that a busy machine does not end the session.
  sessionTimeoutMs = 15_000,
  partitionsMaxAgeMs = 60_000,
}: Conditions): Partial<KafkaTuning> => ({
  sessionTimeoutMs,
  heartbeatIntervalMs: Math.min(500, sessionTimeoutMs / 4),
  metadataMaxAgeMs: partitionsMaxAgeMs,
});

async function open(): Promise<TransportHarness> {
  const kafka = { brokers: await testKafka() };
  const fixture = await messagingFixture('contract');
  const logger = createLogger({ service: 'contract', level: 'silent' });
  const topics = new KafkaTopics({ kafka, logger });
  return {
    dataSource: fixture.dataSource,
    connect: (conditions = {}) =>
      Promise.resolve(
        new KafkaTransport({ kafka, clientId: 'contract', logger, tuning: tuningOf(conditions) }),
      ),
    topics,
    close: async () => {
      await topics.close();
      await fixture.close();
    },
  };
}

describeTransportContract('Kafka', open);
describeGroupContract('Kafka', open);
describeReadingContract('Kafka', open);
describePublishingContract('Kafka', open);
describeConsumerContract('Kafka', open);
describeFailureContract('Kafka', open);
describeProjectionContract('Kafka', open);
