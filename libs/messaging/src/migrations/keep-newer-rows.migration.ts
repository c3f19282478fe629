import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Columns of rebuilds that keep rows newer than the topic; processes of the version before ignore them. */
export class KeepNewerRows1799500000021 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE projection_state
         ADD COLUMN older_accepted_at timestamptz,
         ADD COLUMN confirming_before timestamptz,
         ADD COLUMN newer bigint NOT NULL DEFAULT 0`,
    );
  }
}
