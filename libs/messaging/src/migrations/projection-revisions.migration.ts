import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** The version before builds projections beside this one, without a revision: it leaves that of the last build as it is. */
export class ReviseProjections1799300000052 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE projection_state
         ADD COLUMN revision integer NOT NULL DEFAULT 1,
         ADD COLUMN attempted_at timestamptz`,
    );
  }
}
