import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class RefundOrders1796500000003 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE withdrawals ADD COLUMN refund jsonb`);
    await queryRunner.query(
      `ALTER TABLE payments ADD COLUMN intent_orders jsonb NOT NULL DEFAULT '[]'`,
    );
  }
}
