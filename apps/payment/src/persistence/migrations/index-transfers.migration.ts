import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Indexes open transfers for metrics. Concurrently, so outside a transaction and repeatable. */
export class IndexTransfers1796400000001 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS legs_in_bridge_idx');
    await queryRunner.query(
      `CREATE INDEX CONCURRENTLY legs_in_bridge_idx ON legs ((transfer->>'status'))
       WHERE transfer->>'status' IN ('OPEN', 'UNFILLED')`,
    );
  }
}
