import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class TraceWithdrawals1796300000002 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE withdrawals ADD COLUMN traceparent text');
  }
}
