import { TOPICS } from '@bascule/contracts';
import { createLogger } from '@bascule/process';
import { DataSource } from 'typeorm';
import { EmbeddedTopics } from '../transport/embedded/embedded-topics.js';
import { provisionEventLog } from '../transport/embedded/event-log-schema.js';
import type { KafkaConfig } from '../transport/kafka/kafka-config.js';
import { KafkaTopics } from '../transport/kafka/kafka-topics.js';
import type { TopicAdministration, TopicChange } from '../transport/transport.js';

/** Location of topics: a Kafka cluster, or the database of an event log. */
export type TopicsPlace =
  { kafka: KafkaConfig; replication?: number | undefined } | { databaseUrl: string };

async function openTopics(place: TopicsPlace): Promise<TopicAdministration> {
  if ('kafka' in place) {
    const logger = createLogger({ service: 'topics', level: 'fatal' });
    return new KafkaTopics({ ...place, logger });
  }
  const dataSource = new DataSource({ type: 'postgres', url: place.databaseUrl });
  await dataSource.initialize();
  return new EmbeddedTopics(dataSource, () => dataSource.destroy());
}

/** Creates and alters topics as declared. */
export async function applyTopics(
  place: TopicsPlace,
  options?: { dryRun?: boolean },
): Promise<TopicChange[]> {
  const topics = await openTopics(place);
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
