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
import { isProtocolError } from './kafka-errors.js';
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
const METADATA_TIMEOUT_MS = 20_000;
const POLL_MS = 100;
const MIB = 1024 * 1024;
const MAX_AGE_MS = 60_000;
const MAX_DEFAULT_REPLICAS = 3;

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
    const replicas = replication ?? (await defaultReplicas(admin));
    return topics.map((definition) => {
      const existing = present.get(definition.name);
      const settings = settingsOf(definition, existing?.replication ?? replicas);
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
    if (grown.length > 0) await admin.createPartitions({ topicPartitions: grown });
    for (const { plan } of steps) await alterSettings(admin, plan);
    const changed = steps.filter(({ plan }) => isChange(plan)).map(({ wanted }) => wanted);
    await untilVisible(admin, changed);
  }

  /** Creates missing topics; tolerates concurrent creation. */
  private async create(admin: Admin, topics: readonly TopicDefinition[]): Promise<void> {
    if (topics.length === 0) return;
    const replicationFactor = this.options.replication ?? (await defaultReplicas(admin));
    // One by one, so that a concurrent creation is no error.
    for (const topic of topics) {
      await admin.createTopics({
        // The client fails while a broker lacks the metadata of the new topic.
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
    // Somebody else may create the topic at the same time, with other settings.
    const anySettings = topics.map((definition) => ({
      definition,
      settings: {},
      replication: null,
    }));
    await untilVisible(admin, anySettings);
  }
}

/** Settings that can be altered at any time. */
function settingsOf(
  { cleanup, maxMessageBytes }: TopicDefinition,
  replicas: number,
): Record<string, string> {
  return {
    // Limit of a batch, which holds more than the largest record.
    'max.message.bytes': String(Math.max(MIB, 2 * maxMessageBytes)),
    // With the brokers' default only the leader acknowledges, and its records can be lost with it.
    'min.insync.replicas': String(Math.max(1, replicas - 1)),
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

const isChange = ({ create, partitions, settings }: TopicPlan): boolean =>
  create || partitions !== null || Object.keys(settings).length > 0;

/** Waits until the brokers answer with the topics as declared: they learn of changes from their controller. */
async function untilVisible(admin: Admin, topics: readonly WantedTopic[]): Promise<void> {
  const names = topics.map(({ definition }) => definition.name);
  for (const deadline = Date.now() + METADATA_TIMEOUT_MS; ;) {
    const present = await presentTopics(admin, names).catch((error: unknown) => {
      if (Date.now() > deadline || !isProtocolError(error, UNKNOWN_TOPIC)) throw error;
      return new Map<string, PresentTopic>();
    });
    const left = topics.find((wanted) =>
      isChange(planOf(wanted, present.get(wanted.definition.name))),
    );
    if (left === undefined) return;
    if (Date.now() > deadline)
      throw new Error(
        `topic ${left.definition.name} was changed, but the brokers do not show the change`,
      );
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function defaultReplicas(admin: Admin): Promise<number> {
  const { brokers } = await admin.describeCluster();
  return Math.min(MAX_DEFAULT_REPLICAS, brokers.length);
}
