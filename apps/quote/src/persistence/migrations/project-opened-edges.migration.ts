import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds the edges that are open to an organisation. */
export class ProjectOpenedEdges1797500000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE organisations ADD COLUMN opened_edges jsonb NOT NULL DEFAULT '[]'`,
    );
  }
}
