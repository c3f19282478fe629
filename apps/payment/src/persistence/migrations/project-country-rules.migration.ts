import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds the projection of the country rules. */
export class ProjectCountryRules1799000000010 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE country_rules (
        id text PRIMARY KEY,
        version integer NOT NULL,
        prohibited jsonb NOT NULL,
        methods jsonb NOT NULL,
        seen_at timestamptz NOT NULL DEFAULT now()
      )`);
  }
}
