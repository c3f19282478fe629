import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds the append-only timelines of payments; those of older payments begin with their next change. */
export class RecordTimelines1799000000300 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }
}

const STATEMENTS = [
  // A constant default rewrites no rows.
  'ALTER TABLE payments ADD COLUMN timeline_length integer NOT NULL DEFAULT 0',
  `CREATE TABLE timeline_entries (
    payment_id uuid NOT NULL,
    sequence integer NOT NULL,
    recorded_at timestamptz NOT NULL,
    type text NOT NULL,
    trace_id text,
    facts jsonb NOT NULL,
    PRIMARY KEY (payment_id, sequence)
  )`,
  `CREATE FUNCTION refuse_timeline_change() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     RAISE EXCEPTION 'timeline_entries is append-only, found %', TG_OP;
   END $$`,
  `CREATE TRIGGER timeline_entries_append_only
   BEFORE UPDATE OR DELETE OR TRUNCATE ON timeline_entries
   FOR EACH STATEMENT EXECUTE FUNCTION refuse_timeline_change()`,
  `CREATE TABLE timeline_omitted (
    payment_id uuid NOT NULL,
    type text NOT NULL,
    count bigint NOT NULL,
    last_at timestamptz NOT NULL,
    PRIMARY KEY (payment_id, type)
  )`,
];
