import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class AbandonReservations1799700000053 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE chain_transactions
         ADD COLUMN abandoned_at timestamptz,
         ADD COLUMN abandoned_by text`,
    );
  }
}
