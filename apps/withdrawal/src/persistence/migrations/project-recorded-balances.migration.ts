import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class ProjectRecordedBalances1799400000002 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE payments ADD COLUMN recorded_balances jsonb NOT NULL DEFAULT '[]'`,
    );
  }
}
