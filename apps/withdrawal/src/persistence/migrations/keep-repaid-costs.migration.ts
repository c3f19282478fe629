import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Stores what the fee of each withdrawal repays, which bounds submissions of payments that had several. */
export class KeepRepaidCosts1799500000011 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE withdrawals ADD COLUMN repaid_wei numeric(78,0)');
  }
}
