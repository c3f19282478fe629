import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

const PROJECTIONS = ['assets', 'prices'];

/** When a fact last confirmed a row: what a rebuild does not see again, it removes. */
export class SeeProjections1795210000001 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of PROJECTIONS) {
      await queryRunner.query(
        `ALTER TABLE ${table} ADD COLUMN seen_at timestamptz NOT NULL DEFAULT now()`,
      );
    }
  }
}
