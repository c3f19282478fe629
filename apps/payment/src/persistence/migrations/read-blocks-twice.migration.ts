import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Keeps how far a second node was read. */
export class ReadBlocksTwice1799900000240 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE chain_cursors ADD COLUMN IF NOT EXISTS reread_block_number bigint',
    );
  }
}
