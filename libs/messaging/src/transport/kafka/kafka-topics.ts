import type { TopicDefinition } from '@bascule/contracts';
import type { Logger } from '@bascule/process';
import kafkajs, { type Admin } from 'kafkajs';
import {
  changesOf,
  planOf,
  type PresentTopic,
  type TopicPlan,
  type WantedTopic,
} from '../topic-comparison.js';
import { type TopicAdministration, type TopicChange, TopicsRefusedError } from '../transport.js';
import { AdminClient } from './admin-client.js';
import { BrokerStatus } from './broker-status.js';
import { createClient } from './kafka-client.js';
import type { KafkaConfig } from './kafka-config.js';
import { isProtocolError } from './kafka-trouble.js';
import { presentTopics } from './present-topics.js';
import { LEDGER, TopicLedger } from './topic-ledger.js';

export interface KafkaTopicsOptions {
  kafka: KafkaConfig;
  logger: Logger;
  /** Replicas of each partition; by default three, or one per broker if fewer; existing topics keep theirs. */
  replication?: number | undefined;
}

interface Step {
  wanted: WantedTopic;
  plan: TopicPlan;
}

const CLIENT_ID = 'bascule-topics';
const UNKNOWN_TOPIC = 'UNKNOWN_TOPIC_OR_PARTITION';
const HEARD_OF_MS = 20_000;
const LOOK_MS = 100;
const MIB = 1024 * 1024;
const MAX_AGE_MS = 60_000;
const MOST_COPIES = 3;

/** Topics of a Kafka cluster. */
export class KafkaTopics implements TopicAdministration {
  private readonly client: AdminClient;
  private readonly ledger: TopicLedger;

  constructor(private readonly options: KafkaTopicsOptions) {
    const { logger } = options;
    const kafka = createClient(options.kafka, CLIENT_ID, logger);
    const status = new BrokerStatus(options.kafka.brokers, logger);
    this.client = new AdminClient(kafka, status, MAX_AGE_MS);
    this.ledger = new TopicLedger(kafka, this.client, status, CLIENT_ID);
  }

  apply(
    topics: readonly TopicDefinition[],
    { dryRun = false }: { dryRun?: boolean } = {},
  ): Promise<TopicChange[]> {
    return this.client.use(async (admin) => {
      const steps = await this.stepsOf(admin, topics);
      const refusals = steps.flatMap(({ plan }) => plan.refusals);
      if (refusals.length > 0) throw new TopicsRefusedError(refusals);
      if (!dryRun) await this.take(admin, steps);
      return steps.flatMap(({ plan, wanted }) => changesOf(plan, wanted));
    });
  }

  async close(): Promise<void> {
    await this.ledger.close();
    await this.client.close();
  }

  private async stepsOf(admin: Admin, topics: readonly TopicDefinition[]): Promise<Step[]> {
    const { replication = null } = this.options;
    const present = await this.present(admin, topics);
    const copies = replication ?? (await copiesOf(admin));
    return topics.map((definition) => {
      const existing = present.get(definition.name);
      const settings = settingsOf(definition, existing?.replication ?? copies);
      const wanted: WantedTopic = { definition, settings, replication };
      return { wanted, plan: planOf(wanted, existing) };
    });
  }

  private async present(
    admin: Admin,
    topics: readonly TopicDefinition[],
  ): Promise<Map<string, PresentTopic>> {
    const names = topics.map(({ name }) => name);
    const present = await presentTopics(admin, [...names, LEDGER.name]);
    const keys =
      present.delete(LEDGER.name) && present.size > 0
        ? await this.ledger.keys()
        : new Map<string, string>();
    return new Map(
      [...present].map(([name, topic]) => [name, { ...topic, key: keys.get(name) ?? null }]),
    );
  }

  private async take(admin: Admin, steps: readonly Step[]): Promise<void> {
    const created = steps.filter(({ plan }) => plan.create).map(({ wanted }) => wanted.definition);
    await this.create(admin, created);
    const unknown = steps.filter(({ plan }) => plan.create || !plan.keyIsKnown);
    if (unknown.length > 0) {
      await this.create(admin, [LEDGER]);
      await this.ledger.remember(unknown.map(({ wanted }) => wanted.definition));
    }
    const grown = steps.flatMap(({ plan: { topic, partitions } }) =>
      partitions === null ? [] : [{ topic, count: partitions }],
    );
    if (grown.length > 0) {
      await admin.createPartitions({ topicPartitions: grown });
      await untilPresent(
        admin,
        steps.map(({ wanted }) => wanted.definition),
      );
    }
    for (const { plan } of steps) await alterSettings(admin, plan);
  }

  /** Creates missing topics; tolerates concurrent creation. */
  private async create(admin: Admin, topics: readonly TopicDefinition[]): Promise<void> {
    if (topics.length === 0) return;
    const replicationFactor = this.options.replication ?? (await copiesOf(admin));
    // One by one: what somebody else creates at the same time is no error then.
    for (const topic of topics) {
      await admin.createTopics({
        // The client gives up where a broker has not heard of the topic yet.
        waitForLeaders: false,
        topics: [
          {
            topic: topic.name,
            numPartitions: topic.partitions,
            replicationFactor,
            configEntries: entriesOf({
              ...settingsOf(topic, replicationFactor),
              'cleanup.policy': topic.cleanup.policy,
            }),
          },
        ],
      });
    }
    await untilPresent(admin, topics);
  }
}

/** Settings that can be altered at any time. */
function settingsOf(
  { cleanup, maxMessageBytes }: TopicDefinition,
  copies: number,
): Record<string, string> {
  return {
    // Of a batch: the largest record has company in its request.
    'max.message.bytes': String(Math.max(MIB, 2 * maxMessageBytes)),
    // By the brokers' default the leader alone acknowledges, and what it acknowledged can die with it.
    'min.insync.replicas': String(Math.max(1, copies - 1)),
    ...(cleanup.policy === 'compact'
      ? { 'min.compaction.lag.ms': String(cleanup.minCompactionLagMs) }
      : { 'retention.ms': String(cleanup.retentionMs) }),
  };
}

/** Complete settings of a topic: Kafka resets those not named to their defaults. */
async function alterSettings(admin: Admin, { topic, settings }: TopicPlan): Promise<void> {
  if (Object.keys(settings).length === 0) return;
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic }],
  });
  const own = (resources[0]?.configEntries ?? [])
    .filter(({ configSource }) => configSource === kafkajs.ConfigSource.TOPIC_CONFIG)
    .map(({ configName, configValue }) => [configName, configValue] as const);
  await admin.alterConfigs({
    validateOnly: false,
    resources: [
      {
        type: kafkajs.ConfigResourceTypes.TOPIC,
        name: topic,
        configEntries: entriesOf({ ...Object.fromEntries(own), ...settings }),
      },
    ],
  });
}

const entriesOf = (settings: Record<string, string>) =>
  Object.entries(settings).map(([name, value]) => ({ name, value }));

/** Waits until all brokers have the metadata of new topics. */
async function untilPresent(admin: Admin, topics: readonly TopicDefinition[]): Promise<void> {
  const names = topics.map(({ name }) => name);
  for (const deadline = Date.now() + HEARD_OF_MS; ;) {
    const present = await presentTopics(admin, names).catch((error: unknown) => {
      if (Date.now() > deadline || !isProtocolError(error, UNKNOWN_TOPIC)) throw error;
      return new Map<string, PresentTopic>();
    });
    const left = topics.filter(
      ({ name, partitions }) => (present.get(name)?.partitions ?? 0) < partitions,
    );
    if (left.length === 0) return;
    if (Date.now() > deadline)
      throw new Error(`topic ${left[0]?.name} was created and is not there`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function copiesOf(admin: Admin): Promise<number> {
  const { brokers } = await admin.describeCluster();
  return Math.min(MOST_COPIES, brokers.length);
}
