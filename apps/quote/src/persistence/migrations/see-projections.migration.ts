import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

const PROJECTIONS = ['catalogue_assets', 'prices'];

/** Adds the time of the newest event about a row; a rebuild removes rows that it does not see. */
export class SeeProjections1795210000001 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of PROJECTIONS) {
      await queryRunner.query(
        `ALTER TABLE ${table} ADD COLUMN seen_at timestamptz NOT NULL DEFAULT now()`,
      );
    }
  }
}
