import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Records the chain of retries that a withdrawal takes its reduced fee from; a chain submits one. */
export class LimitReducedFees1798200000004 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE withdrawals ADD COLUMN reduced_fee_root uuid');
    await queryRunner.query(`
      CREATE UNIQUE INDEX withdrawals_reduced_fee_root_idx ON withdrawals (reduced_fee_root)
      WHERE submitted`);
  }
}
