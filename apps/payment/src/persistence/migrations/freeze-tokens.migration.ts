import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class FreezeTokens1799300000032 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE payments ADD COLUMN frozen_tokens jsonb NOT NULL DEFAULT '[]'`,
    );
  }
}
