import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds limits of an organisation's whole traffic, and of one client with a publishable key. */
export class LimitOrganisations1799000000020 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE organisations
        ADD COLUMN rate_limit integer CONSTRAINT organisations_rate_limit CHECK (rate_limit > 0)`);
    await queryRunner.query(`
      ALTER TABLE key_sets
        ADD COLUMN client_rate_limit integer
          CONSTRAINT key_sets_client_rate_limit CHECK (client_rate_limit > 0)`);
  }
}
