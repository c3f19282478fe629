import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/**
 * Marks the rows that this version projects. Senders are unknown until an event tells them, also in rows that the version
 * before inserts. Indexes concurrently, so outside a transaction and repeatable.
 */
export class ReviseSenders1799300000053 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }
}

const STATEMENTS = [
  `ALTER TABLE payments
    ADD COLUMN IF NOT EXISTS projected_version integer,
    ADD COLUMN IF NOT EXISTS projected_revision integer,
    ALTER COLUMN senders DROP NOT NULL,
    ALTER COLUMN senders DROP DEFAULT`,
  'DROP INDEX CONCURRENTLY IF EXISTS payments_outdated_idx',
  `CREATE INDEX CONCURRENTLY payments_outdated_idx ON payments (id)
    WHERE projected_version IS DISTINCT FROM version`,
  'DROP INDEX CONCURRENTLY IF EXISTS payments_projected_revision_idx',
  'CREATE INDEX CONCURRENTLY payments_projected_revision_idx ON payments (projected_revision)',
];
