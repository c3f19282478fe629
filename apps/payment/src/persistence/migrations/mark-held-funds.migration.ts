import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Marks payments that hold money. Indexes concurrently, so outside a transaction and repeatable. */
export class MarkHeldFunds1799400000000 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    // Null for existing rows until their next change: no row is rewritten.
    await queryRunner.query('ALTER TABLE payments ADD COLUMN IF NOT EXISTS holds_funds boolean');
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS payments_holding_funds_idx');
    await queryRunner.query(`
      CREATE INDEX CONCURRENTLY payments_holding_funds_idx
      ON payments (org_id, owner_address, created_at, id)
      WHERE coalesce(holds_funds, funded)`);
  }
}
