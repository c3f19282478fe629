import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Lets small deposits be read as sums. Indexes concurrently, so outside a transaction and repeatable. */
export class SumSmallDeposits1799500000000 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE payments ADD COLUMN IF NOT EXISTS summed_deposits jsonb');
    await queryRunner.query(
      'ALTER TABLE deposits ADD COLUMN IF NOT EXISTS is_summed boolean NOT NULL DEFAULT false',
    );
    await queryRunner.query(
      'ALTER TABLE withdrawals ADD COLUMN IF NOT EXISTS is_past boolean NOT NULL DEFAULT false',
    );
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS deposits_single_idx');
    await queryRunner.query(
      'CREATE INDEX CONCURRENTLY deposits_single_idx ON deposits (payment_id) WHERE NOT is_summed',
    );
  }
}
