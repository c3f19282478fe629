import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/**
 * Lets each bridge and each provider have workers of its own. Concurrently, so outside a transaction and repeatable.
 * Replicas of an older version write legs without a bridge, which the workers of all other legs take.
 */
export class SeparateParties1799500000040 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE legs ADD COLUMN IF NOT EXISTS bridge text');
    await queryRunner.query(
      'ALTER TABLE checkouts ADD COLUMN IF NOT EXISTS callbacks integer NOT NULL DEFAULT 0',
    );
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS legs_bridge_due_at_idx');
    await queryRunner.query(
      `CREATE INDEX CONCURRENTLY legs_bridge_due_at_idx ON legs (bridge, due_at)
       WHERE due_at IS NOT NULL`,
    );
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS checkouts_provider_due_at_idx');
    await queryRunner.query(
      `CREATE INDEX CONCURRENTLY checkouts_provider_due_at_idx ON checkouts (provider, due_at)
       WHERE due_at IS NOT NULL`,
    );
  }
}
