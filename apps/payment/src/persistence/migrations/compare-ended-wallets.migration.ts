import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Keeps up to which wallet, in the order in which fundings end, balances were compared after that end. */
export class CompareEndedWallets1799900000260 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE chain_cursors ADD COLUMN compared_fund_by timestamptz,
         ADD COLUMN compared_payment_id uuid,
         ADD COLUMN uncompared_since timestamptz`,
    );
    // What the version before has compared: deadlines up to this time may have been applied.
    await queryRunner.query(
      `UPDATE chain_cursors SET compared_fund_by = confirmed_block_timestamp,
         compared_payment_id = '00000000-0000-0000-0000-000000000000'
       WHERE confirmed_block_timestamp IS NOT NULL`,
    );
  }
}
