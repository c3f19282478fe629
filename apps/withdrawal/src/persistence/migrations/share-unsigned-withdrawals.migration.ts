import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

const INDEXES = [
  {
    name: 'withdrawals_unsigned_idx',
    on: "(org_id, expires_at, payment_id, visitor) WHERE status = 'PENDING' AND NOT submitted",
    replaces: 'withdrawals_unsigned_idx',
  },
  {
    name: 'withdrawals_payment_id_status_idx',
    on: '(payment_id, status)',
    replaces: 'withdrawals_payment_id_idx',
  },
];

/** Adds visitors' shares of the quota of unsigned withdrawals. Indexes concurrently, so outside a transaction and repeatable. */
export class ShareUnsignedWithdrawals1799300000001 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE withdrawals ADD COLUMN IF NOT EXISTS visitor text');
    for (const { name, on, replaces } of INDEXES) {
      // The old index serves the version before until the new one is complete.
      await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS withdrawals_new_idx');
      await queryRunner.query(`CREATE INDEX CONCURRENTLY withdrawals_new_idx ON withdrawals ${on}`);
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${replaces}`);
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await queryRunner.query(`ALTER INDEX withdrawals_new_idx RENAME TO ${name}`);
    }
  }
}
