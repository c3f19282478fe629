import type { TopicDefinition } from '@bascule/contracts';
import type { Logger } from '@bascule/process';
import kafkajs, { type Admin, type Kafka } from 'kafkajs';
import { changesOf, planOf, type TopicPlan, type WantedTopic } from '../topic-comparison.js';
import { type TopicAdministration, type TopicChange, TopicsRefusedError } from '../transport.js';
import { AdminClient } from './admin-client.js';
import { BrokerStatus } from './broker-status.js';
import { createClient } from './kafka-client.js';
import type { KafkaConfig } from './kafka-config.js';
import { presentTopics } from './present-topics.js';

export interface KafkaTopicsOptions {
  kafka: KafkaConfig;
  logger: Logger;
  /** Copies of each partition; without it, three or as many as there are brokers, and any that there already are. */
  replication?: number | undefined;
}

interface Step {
  wanted: WantedTopic;
  plan: TopicPlan;
}

const MIB = 1024 * 1024;
const MAX_AGE_MS = 60_000;
const MOST_COPIES = 3;

/** The topics of a cluster. */
export class KafkaTopics implements TopicAdministration {
  private readonly kafka: Kafka;
  private readonly client: AdminClient;

  constructor(private readonly options: KafkaTopicsOptions) {
    const { kafka, logger } = options;
    this.kafka = createClient(kafka, 'bascule-topics', logger);
    this.client = new AdminClient(this.kafka, new BrokerStatus(kafka.brokers, logger), MAX_AGE_MS);
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

  close(): Promise<void> {
    return this.client.close();
  }

  private async stepsOf(admin: Admin, topics: readonly TopicDefinition[]): Promise<Step[]> {
    const present = await presentTopics(
      admin,
      topics.map(({ name }) => name),
    );
    return topics.map((definition) => {
      const wanted: WantedTopic = {
        definition,
        settings: settingsOf(definition),
        replication: this.options.replication ?? null,
      };
      return { wanted, plan: planOf(wanted, present.get(definition.name)) };
    });
  }

  private async take(admin: Admin, steps: readonly Step[]): Promise<void> {
    const created = steps.filter(({ plan }) => plan.create);
    if (created.length > 0) {
      const replicationFactor = this.options.replication ?? (await copiesOf(admin));
      await admin.createTopics({
        topics: created.map(({ wanted: { definition, settings } }) => ({
          topic: definition.name,
          numPartitions: definition.partitions,
          replicationFactor,
          configEntries: entriesOf({ ...settings, 'cleanup.policy': definition.cleanup.policy }),
        })),
      });
    }
    const grown = steps.flatMap(({ plan: { topic, partitions } }) =>
      partitions === null ? [] : [{ topic, count: partitions }],
    );
    if (grown.length > 0) await admin.createPartitions({ topicPartitions: grown });
    for (const { plan } of steps) await alterSettings(admin, plan);
  }
}

/** What can be altered at any time. */
function settingsOf({ cleanup, maxMessageBytes }: TopicDefinition): Record<string, string> {
  return {
    // Of a batch: the largest record has company in its request.
    'max.message.bytes': String(Math.max(MIB, 2 * maxMessageBytes)),
    ...(cleanup.policy === 'compact'
      ? { 'min.compaction.lag.ms': String(cleanup.minCompactionLagMs) }
      : { 'retention.ms': String(cleanup.retentionMs) }),
  };
}

/** Kafka takes the whole of a topic's own settings: what is not named falls back to its default. */
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

async function copiesOf(admin: Admin): Promise<number> {
  const { brokers } = await admin.describeCluster();
  return Math.min(MOST_COPIES, brokers.length);
}
