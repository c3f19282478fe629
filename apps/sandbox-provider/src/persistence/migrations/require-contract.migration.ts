import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Deletes orders of native currency, which is no longer sold. Their signed transfers are still sent. */
export class RequireContract1795268700000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM orders WHERE contract IS NULL;
      ALTER TABLE orders ALTER COLUMN contract SET NOT NULL`);
  }
}
