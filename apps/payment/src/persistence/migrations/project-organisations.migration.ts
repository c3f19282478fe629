import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds the projection of organisations' settings. */
export class ProjectOrganisations1797500000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE organisations (
        id uuid PRIMARY KEY,
        version integer NOT NULL,
        redirect_origins jsonb NOT NULL,
        seen_at timestamptz NOT NULL DEFAULT now()
      )`);
  }
}
