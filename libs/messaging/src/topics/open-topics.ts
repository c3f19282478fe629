import { TOPICS } from '@bascule/contracts';
import { createLogger } from '@bascule/process';
import { DataSource } from 'typeorm';
import { EmbeddedTopics } from '../transport/embedded/embedded-topics.js';
import { provisionEventLog } from '../transport/embedded/event-log-schema.js';
import type { KafkaConfig } from '../transport/kafka/kafka-config.js';
import { KafkaTopics } from '../transport/kafka/kafka-topics.js';
import type { TopicAdministration, TopicChange } from '../transport/transport.js';

/** Location of topics: a Kafka cluster, or the database of an event log. */
export type TopicsLocation =
  { kafka: KafkaConfig; replication?: number | undefined } | { databaseUrl: string };

async function openTopics(location: TopicsLocation): Promise<TopicAdministration> {
  if ('kafka' in location) {
    const logger = createLogger({ service: 'topics', level: 'fatal' });
    return new KafkaTopics({ ...location, logger });
  }
  const dataSource = new DataSource({ type: 'postgres', url: location.databaseUrl });
  await dataSource.initialize();
  return new EmbeddedTopics(dataSource, () => dataSource.destroy());
}

/** Creates and alters topics as declared. */
export async function applyTopics(
  location: TopicsLocation,
  options?: { dryRun?: boolean },
): Promise<TopicChange[]> {
  const topics = await openTopics(location);
  try {
    return await topics.apply(Object.values(TOPICS), options);
  } finally {
    await topics.close();
  }
}

/** Creates the event log and its topics for the embedded transport. */
export async function createEventLog(adminUrl: string): Promise<void> {
  await provisionEventLog(adminUrl);
  await applyTopics({ databaseUrl: adminUrl });
}
