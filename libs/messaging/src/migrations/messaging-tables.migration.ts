import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class CreateMessagingTables1760000000001 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }
}

const RECORD_COLUMNS = `
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic text NOT NULL,
  partition integer NOT NULL,
  "offset" bigint NOT NULL,
  key text NOT NULL,
  headers jsonb NOT NULL,
  value bytea NOT NULL,
  attempts integer NOT NULL`;

const STATEMENTS = [
  `CREATE TABLE outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    topic text NOT NULL,
    key text NOT NULL,
    envelope text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  // Rows live for milliseconds: without eager vacuuming the relay reads through the dead ones.
  `ALTER TABLE outbox SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_vacuum_insert_threshold = -1
  )`,
  `CREATE TABLE inbox (
    day date NOT NULL,
    event_id uuid NOT NULL,
    effect text NOT NULL,
    PRIMARY KEY (day, event_id, effect)
  ) PARTITION BY RANGE (day)`,
  `CREATE TABLE parked_events (${RECORD_COLUMNS},
    due_at timestamptz,
    reason text,
    parked_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE UNIQUE INDEX parked_events_record_key ON parked_events (topic, partition, "offset")`,
  `CREATE INDEX parked_events_queue_idx ON parked_events (topic, key, id)`,
  `CREATE INDEX parked_events_due_idx ON parked_events (due_at) WHERE due_at IS NOT NULL`,
  `CREATE TABLE dead_letters (${RECORD_COLUMNS},
    reason text NOT NULL,
    dead_at timestamptz NOT NULL DEFAULT now(),
    replayed_at timestamptz
  )`,
  `CREATE UNIQUE INDEX dead_letters_record_key ON dead_letters (topic, partition, "offset")`,
];
