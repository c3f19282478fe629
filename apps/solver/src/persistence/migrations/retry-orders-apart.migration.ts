import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/**
 * Counts the looks at an order that could not be filled: such orders have slots of their own. Replicas of the version before
 * count none, and claim all orders alike.
 */
export class RetryOrdersApart1799900000060 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE orders ADD COLUMN retries int NOT NULL DEFAULT 0,
        ADD COLUMN is_reserving boolean NOT NULL DEFAULT true;
      DROP INDEX orders_due_at_idx;
      CREATE INDEX orders_due_at_idx ON orders (due_at)
        WHERE due_at IS NOT NULL AND status = 'SEEN' AND retries = 0;
      CREATE INDEX orders_retried_due_at_idx ON orders (due_at)
        WHERE due_at IS NOT NULL AND status = 'SEEN' AND retries > 0;
      CREATE INDEX orders_filled_due_at_idx ON orders (due_at)
        WHERE due_at IS NOT NULL AND status <> 'SEEN'`);
  }
}
