import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds quotas of payments that wait for funds. Indexes concurrently, so outside a transaction and repeatable. */
export class LimitUnfundedPayments1799100000000 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE organisations ADD COLUMN IF NOT EXISTS max_unfunded_payments integer',
    );
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS payments_unfunded_idx');
    await queryRunner.query(`
      CREATE INDEX CONCURRENTLY payments_unfunded_idx ON payments (org_id, initiate_fund_by)
      WHERE status = 'PENDING' AND NOT funded`);
  }
}
