import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class ReserveNonces1799600000052 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE chain_transactions
         ADD COLUMN max_fee_per_gas numeric(78,0),
         ADD COLUMN max_priority_fee_per_gas numeric(78,0)`,
    );
  }
}
