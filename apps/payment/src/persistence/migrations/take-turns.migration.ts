import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/**
 * Adds the holder, chain and organisation, of payments that are set aside only since a pass had enough others: they have
 * slots of their own, a few for each holder. Replicas of the version before mark none, and claim them like the others.
 */
export class TakeTurns1799900000210 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE set_aside_payments ADD COLUMN holder text');
    await queryRunner.query('DROP INDEX set_aside_payments_due_at_idx');
    await queryRunner.query(
      `CREATE INDEX set_aside_payments_due_at_idx ON set_aside_payments (due_at) INCLUDE (chain)
       WHERE NOT is_unread AND holder IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX set_aside_payments_turn_due_at_idx ON set_aside_payments (due_at) INCLUDE (holder)
       WHERE NOT is_unread AND holder IS NOT NULL`,
    );
  }
}
