import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds test organisations: at most one beside each live one. */
export class AddTestOrganisations1799100000045 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE organisations
        ADD COLUMN live_organisation_id uuid
          CONSTRAINT organisations_live_organisation REFERENCES organisations (id),
        ADD CONSTRAINT organisations_live_organisation_id UNIQUE (live_organisation_id)`);
  }
}
