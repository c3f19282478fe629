import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds quotas of withdrawals that wait for a signature. Indexes concurrently, so outside a transaction and repeatable. */
export class LimitUnsignedWithdrawals1799100000001 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE IF NOT EXISTS organisations (
        id uuid PRIMARY KEY,
        version integer NOT NULL,
        max_unsigned_withdrawals integer,
        seen_at timestamptz NOT NULL DEFAULT now()
      )`);
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS withdrawals_unsigned_idx');
    await queryRunner.query(`
      CREATE INDEX CONCURRENTLY withdrawals_unsigned_idx ON withdrawals (org_id, expires_at)
      WHERE status = 'PENDING' AND NOT submitted`);
  }
}
