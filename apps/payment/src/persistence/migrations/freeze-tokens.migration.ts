import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class FreezeTokens1799300000032 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE payments ADD COLUMN frozen_tokens jsonb NOT NULL DEFAULT '[]'`,
    );
    // The worker publishes the tokens without a price whose senders are sanctioned or have no verdict.
    await queryRunner.query(
      `UPDATE sender_screenings SET due_at = now()
       WHERE sanctioned IS NOT FALSE
         AND payment_id IN (SELECT payment_id FROM deposits WHERE usd_price IS NULL)`,
    );
  }
}
