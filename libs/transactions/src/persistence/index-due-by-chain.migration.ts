import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

const NAME = 'chain_transactions_due_at_chain_idx';

/** Finds the due transactions of the chains with free slots. Indexes concurrently, so outside a transaction and repeatable. */
export class IndexDueByChain1799700000061 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${NAME}`);
    await queryRunner.query(
      `CREATE INDEX CONCURRENTLY ${NAME} ON chain_transactions (due_at, chain)
       WHERE due_at IS NOT NULL`,
    );
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS chain_transactions_due_at_idx');
  }
}
