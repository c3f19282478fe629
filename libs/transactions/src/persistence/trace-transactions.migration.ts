import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class TraceTransactions1796300000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE chain_transactions ADD COLUMN traceparent text');
  }
}
