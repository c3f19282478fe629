import kafkajs, { type Admin } from 'kafkajs';
import type { PresentTopic } from '../topic-comparison.js';

/** Reads the existing topics of the given names; brokers do not store their key. */
export async function presentTopics(
  admin: Admin,
  names: readonly string[],
): Promise<Map<string, PresentTopic>> {
  const existing = new Set(await admin.listTopics());
  const wanted = names.filter((name) => existing.has(name));
  if (wanted.length === 0) return new Map();
  const { topics } = await admin.fetchTopicMetadata({ topics: wanted });
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: wanted.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
  });
  const settings = new Map(
    resources.map(({ resourceName, configEntries }) => [
      resourceName,
      Object.fromEntries(
        configEntries.map(({ configName, configValue }) => [configName, configValue]),
      ),
    ]),
  );
  return new Map(
    topics.map(({ name, partitions }) => [
      name,
      {
        partitions: partitions.length,
        policy: settings.get(name)?.['cleanup.policy'] ?? '',
        key: null,
        settings: settings.get(name) ?? {},
        replication: Math.min(...partitions.map(({ replicas }) => replicas.length)),
      },
    ]),
  );
}
