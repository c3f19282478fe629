import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Records when each scan was last up to date. Replicas of the version before do not: theirs count as late ones. */
export class RecordScanLag1799900000170 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE order_cursors ADD COLUMN caught_up_at timestamptz NOT NULL DEFAULT now()',
    );
  }
}
