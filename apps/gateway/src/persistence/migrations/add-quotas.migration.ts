import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds quotas of organisations. */
export class AddQuotas1799100000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE organisations ADD COLUMN quotas jsonb NOT NULL DEFAULT '{}'`,
    );
  }
}
