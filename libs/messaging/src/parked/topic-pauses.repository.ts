import type { DataSource } from 'typeorm';
import { REPLAYED } from './parked-events.repository.js';

/** Key with a failed event. */
export interface FailingKey {
  topic: string;
  group: string;
  key: string;
}

/** Condition on `parked_events`: its topic is not paused, or an operator replayed the event. */
export const MAY_RETRY = `(
  parked_events.topic <> ALL (ARRAY(SELECT paused.topic FROM topic_pauses paused))
  OR parked_events.attempts = 0 AND parked_events.reason = '${REPLAYED}')`;

const FAILING = `
  SELECT topic, failure_group AS "group", key FROM (
    SELECT topic, coalesce(failure_group, '') AS failure_group, key, due_at,
      row_number() OVER (PARTITION BY topic, failure_group ORDER BY due_at DESC) AS nth
    FROM parked_events WHERE topic = ANY ($1) AND due_at IS NOT NULL AND attempts > 0
  ) AS heads
  WHERE nth <= $2 ORDER BY due_at DESC LIMIT $3`;

/** Pauses of topics in the service's database. */
export class TopicPausesRepository {
  constructor(private readonly dataSource: DataSource) {}

  async paused(topics: readonly string[]): Promise<string[]> {
    const rows: { topic: string }[] = await this.dataSource.query(
      'SELECT topic FROM topic_pauses WHERE topic = ANY ($1)',
      [topics],
    );
    return rows.map(({ topic }) => topic);
  }

  async pause(topic: string, reason: string): Promise<void> {
    await this.dataSource.query(
      'INSERT INTO topic_pauses (topic, reason) VALUES ($1, $2) ON CONFLICT (topic) DO NOTHING',
      [topic, reason],
    );
  }

  async resume(topic: string): Promise<void> {
    await this.dataSource.query('DELETE FROM topic_pauses WHERE topic = $1', [topic]);
  }

  async parkedAmong(topic: string, keys: readonly string[]): Promise<string[]> {
    const rows: { key: string }[] = await this.dataSource.query(
      'SELECT DISTINCT key FROM parked_events WHERE topic = $1 AND key = ANY ($2)',
      [topic, keys],
    );
    return rows.map(({ key }) => key);
  }

  /** Keys whose parked event failed, newest first, at most `perGroup` of each group. */
  failingKeys(
    topics: readonly string[],
    { perGroup, limit }: { perGroup: number; limit: number },
  ): Promise<FailingKey[]> {
    return this.dataSource.query(FAILING, [topics, perGroup, limit]);
  }
}
