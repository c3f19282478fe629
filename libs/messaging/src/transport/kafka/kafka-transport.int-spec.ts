import { createLogger } from '@bascule/process';
import { testKafka } from '@bascule/testing';
import { describeConsumerContract } from '../../contract-suite/consumer-contract.js';
import { describeFailureContract } from '../../contract-suite/failure-contract.js';
import type { TransportHarness } from '../../contract-suite/harness.js';
import { describeTransportContract } from '../../contract-suite/transport-contract.js';
import { messagingFixture } from '../../test-support/messaging-fixture.js';
import { KafkaTopics } from './kafka-topics.js';
import { KafkaTransport } from './kafka-transport.js';

async function open(): Promise<TransportHarness> {
  const kafka = { brokers: await testKafka() };
  const fixture = await messagingFixture('contract');
  const logger = createLogger({ service: 'contract', level: 'silent' });
  const topics = new KafkaTopics({ kafka, logger });
  return {
    dataSource: fixture.dataSource,
    connect: () => Promise.resolve(new KafkaTransport({ kafka, clientId: 'contract', logger })),
    topics,
    close: async () => {
      await topics.close();
      await fixture.close();
    },
  };
}

describeTransportContract('Kafka', open);
describeConsumerContract('Kafka', open);
describeFailureContract('Kafka', open);
