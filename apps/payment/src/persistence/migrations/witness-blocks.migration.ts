import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Keeps how far two nodes have the scanned blocks: null until two were asked. */
export class WitnessBlocks1799900000040 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE chain_cursors ADD COLUMN IF NOT EXISTS witnessed_block_number bigint',
    );
  }
}
