import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds the rules on where the deployment serves customers. */
export class AddCountryRules1799000000010 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE country_rules (
        id text PRIMARY KEY,
        version integer NOT NULL,
        prohibited jsonb NOT NULL,
        methods jsonb NOT NULL
      )`);
  }
}
