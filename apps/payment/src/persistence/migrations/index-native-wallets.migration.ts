import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Indexes open payments that expect native currency. Indexes concurrently, so outside a transaction and repeatable. */
export class IndexNativeWallets1799500000114 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS payments_open_native_idx');
    await queryRunner.query(`
      CREATE INDEX CONCURRENTLY payments_open_native_idx
      ON payments ((plan #>> '{deposit,token}'), initiate_fund_by, id)
      WHERE status IN ('PENDING', 'WITHDRAW_PENDING') AND plan #>> '{deposit,token}' LIKE '%:0x'`);
  }
}
