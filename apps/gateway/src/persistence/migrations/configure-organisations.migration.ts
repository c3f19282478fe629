import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds what an operator configures for an organisation, and the version under which it is published. */
export class ConfigureOrganisations1797400000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE organisations ADD COLUMN version integer NOT NULL DEFAULT 0',
    );
    await queryRunner.query(`
      CREATE TABLE revenue_shares (
        id uuid PRIMARY KEY,
        organisation_id uuid NOT NULL,
        name text NOT NULL,
        receivers jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        disabled_at timestamptz,
        CONSTRAINT revenue_shares_organisation
          FOREIGN KEY (organisation_id) REFERENCES organisations (id)
      )`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX revenue_shares_name ON revenue_shares (organisation_id, name)
      WHERE disabled_at IS NULL`);
  }
}
