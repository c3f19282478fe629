import type { EventEnvelope, TopicDefinition } from '@bascule/contracts';
import type { DatabaseConfig } from '@bascule/persistence';
import { createLogger } from '@bascule/process';
import { eventually, testKafka } from '@bascule/testing';
import { afterEach } from '@jest/globals';
import { asRecord } from '../contract-suite/consumer-fixture.js';
import type { TransportHarness } from '../contract-suite/harness.js';
import { type Consumers, useConsumers } from '../contract-suite/use-consumers.js';
import { AdminClient } from '../transport/kafka/admin-client.js';
import { BrokerStatus } from '../transport/kafka/broker-status.js';
import { GroupOffsets } from '../transport/kafka/group-offsets.js';
import { createClient } from '../transport/kafka/kafka-client.js';
import { KafkaTopics } from '../transport/kafka/kafka-topics.js';
import { KafkaTransport } from '../transport/kafka/kafka-transport.js';
import type { KafkaTuning } from '../transport/kafka/kafka-tuning.js';
import type { Transport } from '../transport/transport.js';
import { messagingFixture } from './messaging-fixture.js';
import { type ServiceProcess, startServiceProcess } from './service-process.js';
import type { ServicePlan } from './service-program.js';

export interface KafkaUse extends Consumers {
  database: () => DatabaseConfig;
  /** The superuser's URL of the same database. */
  adminUrl: () => string;
  brokers: () => string[];
  /** Another process's. */
  connect: () => Transport;
  create: (...topics: TopicDefinition[]) => Promise<unknown>;
  publish: (topic: TopicDefinition, ...facts: EventEnvelope[]) => Promise<void>;
  /** Of the first partition. */
  committed: (group: string, topic: TopicDefinition) => Promise<bigint>;
  /** On the same broker and schema. */
  startProcess: (
    plan: Omit<ServicePlan, 'brokers' | 'database'>,
    env?: Record<string, string>,
  ) => Promise<ServiceProcess>;
}

const CLIENT_AGE_MS = 60_000;
const logger = createLogger({ service: 'contract', level: 'silent' });

/** A service's handlers and processes on the real broker, started and stopped by the tests of a file. */
export function useKafka(
  tuning: Partial<KafkaTuning> = {},
  brokersOf: () => Promise<string[]> = testKafka,
): KafkaUse {
  let brokers: string[] = [];
  let database: DatabaseConfig;
  let adminUrl = '';
  const transports: Transport[] = [];
  const processes: ServiceProcess[] = [];

  const connect = (): Transport => {
    const transport = new KafkaTransport({
      kafka: { brokers },
      clientId: 'contract',
      logger,
      tuning,
    });
    transports.push(transport);
    return transport;
  };

  async function open(): Promise<TransportHarness> {
    brokers = await brokersOf();
    const fixture = await messagingFixture('contract');
    ({ database, adminUrl } = fixture);
    const topics = new KafkaTopics({ kafka: { brokers }, logger });
    return {
      dataSource: fixture.dataSource,
      connect: () => Promise.resolve(connect()),
      topics,
      close: async () => {
        await topics.close();
        await fixture.close();
      },
    };
  }

  const consumers = useConsumers(open);
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.kill()));
  });

  return {
    ...consumers,
    connect,
    database: () => database,
    adminUrl: () => adminUrl,
    brokers: () => brokers,
    // A broker that has just started does not know at once what it hosts.
    create: (...topics) => eventually(() => consumers.createTopics(topics)),
    publish: (topic, ...facts) =>
      consumers.transport().publish(facts.map((fact) => asRecord(topic, fact))),
    committed: async (group, { name }) => {
      const client = new AdminClient(
        createClient({ brokers }, 'contract', logger),
        new BrokerStatus(brokers, logger),
        CLIENT_AGE_MS,
      );
      const [first] = await new GroupOffsets(client, group, [name]).current();
      await client.close();
      return first?.committed ?? 0n;
    },
    startProcess: async (plan, env) => {
      const started = await startServiceProcess({ ...plan, brokers, database }, env);
      processes.push(started);
      return started;
    },
  };
}
