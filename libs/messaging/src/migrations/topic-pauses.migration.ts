import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Circuit breaker per topic. Processes of the version before neither see a pause nor write the group of a failure. */
export class PauseFailingTopics1799500000022 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }
}

const STATEMENTS = [
  `CREATE TABLE topic_pauses (
    topic text PRIMARY KEY,
    paused_at timestamptz NOT NULL DEFAULT now(),
    reason text NOT NULL
  )`,
  'ALTER TABLE parked_events ADD COLUMN failure_group text',
  `CREATE INDEX parked_events_group_idx ON parked_events (topic, failure_group, due_at)
   WHERE due_at IS NOT NULL`,
];
