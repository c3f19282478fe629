import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Finds a wallet's withdrawal in flight. Indexes concurrently, so outside a transaction and repeatable. */
export class SubmitOnePerWallet1799300000042 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS withdrawals_in_flight_idx');
    await queryRunner.query(`
      CREATE INDEX CONCURRENTLY withdrawals_in_flight_idx ON withdrawals (wallet_address, chain)
      WHERE status = 'PENDING' AND submitted`);
  }
}
