import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Columns for operators: resolved dead letters and rebuilds of projections. */
export class AddMessagingOperation1795210000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }
}

const STATEMENTS = [
  `ALTER TABLE dead_letters
     ADD COLUMN deaths integer NOT NULL DEFAULT 1,
     ADD COLUMN discarded_at timestamptz,
     ADD COLUMN resolved_by text`,
  `CREATE INDEX dead_letters_waiting_idx ON dead_letters (id)
   WHERE replayed_at IS NULL AND discarded_at IS NULL`,
  `CREATE TABLE projection_state (
    topic text PRIMARY KEY,
    tables text[] NOT NULL,
    built_at timestamptz,
    requested_at timestamptz,
    started_at timestamptz,
    distrusted_before timestamptz,
    pass smallint NOT NULL DEFAULT 0,
    records bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0,
    removed bigint NOT NULL DEFAULT 0
  )`,
];
