import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds visitors' shares of the quota of unfunded payments. Indexes concurrently, so outside a transaction and repeatable. */
export class ShareUnfundedPayments1799300000000 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE payments ADD COLUMN IF NOT EXISTS visitor text');
    // The old index serves the version before until the new one is complete.
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS payments_unfunded_new_idx');
    await queryRunner.query(`
      CREATE INDEX CONCURRENTLY payments_unfunded_new_idx
      ON payments (org_id, visitor, initiate_fund_by)
      WHERE status = 'PENDING' AND NOT funded`);
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS payments_unfunded_idx');
    await queryRunner.query(
      'ALTER INDEX payments_unfunded_new_idx RENAME TO payments_unfunded_idx',
    );
  }
}
