import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/**
 * Marks payments that are set aside since a node refuses to read their wallets: they have slots of their own. Replicas of
 * the version before mark none, and claim both; the worker marks those whose next retry fails.
 */
export class MarkUnreadWallets1799800000120 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE set_aside_payments ADD COLUMN is_unread boolean NOT NULL DEFAULT false',
    );
    await queryRunner.query('DROP INDEX set_aside_payments_due_at_idx');
    await queryRunner.query(
      `CREATE INDEX set_aside_payments_due_at_idx ON set_aside_payments (due_at) INCLUDE (chain)
       WHERE NOT is_unread`,
    );
    await queryRunner.query(
      `CREATE INDEX set_aside_payments_unread_due_at_idx ON set_aside_payments (due_at) INCLUDE (chain)
       WHERE is_unread`,
    );
  }
}
