import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds payments that arrive some time after the customer paid. */
export class DelayPayments1799000000047 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE orders
        ADD COLUMN payment_seconds integer NOT NULL DEFAULT 0,
        ADD COLUMN payment_started_at timestamptz`);
  }
}
