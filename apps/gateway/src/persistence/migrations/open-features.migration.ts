import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds what an operator opens to an organisation or to a key set. */
export class OpenFeatures1797500000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE organisations
        ADD COLUMN opened_edges text[] NOT NULL DEFAULT '{}',
        ADD COLUMN redirect_origins text[] NOT NULL DEFAULT '{}'`);
    await queryRunner.query(`ALTER TABLE key_sets ADD COLUMN methods text[] NOT NULL DEFAULT '{}'`);
  }
}
