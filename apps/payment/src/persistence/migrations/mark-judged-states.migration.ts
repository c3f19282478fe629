import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/**
 * Marks verdicts that were applied by the present rules, and payments whose newest event has the whole state. The version
 * before changes both without the marks, and is corrected after it. Indexes concurrently, so outside a transaction and
 * repeatable.
 */
export class MarkJudgedStates1799300000051 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }
}

const STATEMENTS = [
  'ALTER TABLE sender_screenings ADD COLUMN IF NOT EXISTS judged_by integer NOT NULL DEFAULT 0',
  'ALTER TABLE payments ADD COLUMN IF NOT EXISTS published_version integer',
  // Also for the version before, which makes senders due and handles them without the mark.
  `CREATE OR REPLACE FUNCTION reset_judgement() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.judged_by := 0;
      RETURN NEW;
    END $$`,
  `CREATE OR REPLACE TRIGGER reset_judgement BEFORE INSERT OR UPDATE ON sender_screenings
    FOR EACH ROW WHEN (NEW.due_at IS NOT NULL) EXECUTE FUNCTION reset_judgement()`,
  'DROP INDEX CONCURRENTLY IF EXISTS sender_screenings_judged_by_idx',
  'CREATE INDEX CONCURRENTLY sender_screenings_judged_by_idx ON sender_screenings (judged_by, payment_id)',
  'DROP INDEX CONCURRENTLY IF EXISTS payments_unpublished_idx',
  `CREATE INDEX CONCURRENTLY payments_unpublished_idx ON payments (id)
    WHERE published_version IS DISTINCT FROM version`,
];
