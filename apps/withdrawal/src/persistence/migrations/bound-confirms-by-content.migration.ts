import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

const INDEXES = [
  { name: 'withdrawals_payment_id_expires_at_idx', on: '(payment_id, expires_at)' },
  { name: 'withdrawals_signed_idx', on: "(payment_id) WHERE submitted OR status = 'SUCCESS'" },
];

/** Keeps a confirm by content fast, whatever expired unsigned. Indexes concurrently, so outside a transaction and repeatable. */
export class BoundConfirmsByContent1799300000041 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const { name, on } of INDEXES) {
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await queryRunner.query(`CREATE INDEX CONCURRENTLY ${name} ON withdrawals ${on}`);
    }
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS withdrawals_payment_id_status_idx');
  }
}
