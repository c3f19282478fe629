import type { TopicDefinition } from '@bascule/contracts';
import type { DataSource, EntityManager } from 'typeorm';
import type { PresentTopic } from '../topic-comparison.js';

interface TopicRow {
  name: string;
  partitions: number;
  compacted: boolean;
  key: string | null;
  keep_ms: string | null;
}

/** Reads the existing topics of the log. */
export async function loadTopics(
  source: DataSource | EntityManager,
): Promise<Map<string, PresentTopic>> {
  const rows: TopicRow[] = await source.query(
    'SELECT name, partitions, compacted, key, keep_ms FROM event_log.topics',
  );
  return new Map(rows.map((row) => [row.name, asTopic(row)]));
}

const asTopic = (row: TopicRow): PresentTopic => ({
  partitions: row.partitions,
  policy: row.compacted ? 'compact' : 'delete',
  key: row.key,
  settings: row.keep_ms === null ? {} : { keep_ms: row.keep_ms },
  replication: null,
});

const keepMs = ({ cleanup }: TopicDefinition): string =>
  String(cleanup.policy === 'compact' ? cleanup.minCompactionLagMs : cleanup.retentionMs);

export const settingsOf = (topic: TopicDefinition): Record<string, string> => ({
  keep_ms: keepMs(topic),
});

export async function saveTopic(manager: EntityManager, topic: TopicDefinition): Promise<void> {
  await manager.query(
    `INSERT INTO event_log.topics (name, partitions, compacted, key, keep_ms)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (name) DO UPDATE
     SET partitions = excluded.partitions, key = excluded.key, keep_ms = excluded.keep_ms`,
    [topic.name, topic.partitions, topic.cleanup.policy === 'compact', topic.key, keepMs(topic)],
  );
  await manager.query(
    `INSERT INTO event_log.partitions (topic, partition)
     SELECT $1, n - 1 FROM generate_series(1, $2::integer) AS n ON CONFLICT DO NOTHING`,
    [topic.name, topic.partitions],
  );
}
