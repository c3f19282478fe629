import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class ProjectHeldTokens1799400000001 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE payments ADD COLUMN held_tokens jsonb NOT NULL DEFAULT '[]'`,
    );
  }
}
