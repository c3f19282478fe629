import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/**
 * Keeps which node each block was scanned from, and when the next second reading of a chain is due. It goes on with the
 * oldest kept block: the version before would have read no older one.
 */
export class ReadBlocksApart1799900000250 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE chain_cursors ADD COLUMN reread_block_timestamp timestamptz,
         ADD COLUMN reread_failing_since timestamptz,
         ADD COLUMN due_at timestamptz NOT NULL DEFAULT now()`,
    );
    await queryRunner.query('ALTER TABLE scanned_blocks ADD COLUMN read_from text');
    await queryRunner.query(
      `UPDATE chain_cursors c SET
         reread_block_number = greatest(coalesce(reread_block_number, confirmed_block_number),
           (SELECT min(block_number) FROM scanned_blocks s WHERE s.chain = c.chain))`,
    );
    await queryRunner.query(
      `UPDATE chain_cursors c SET reread_block_timestamp = coalesce(
         (SELECT block_timestamp FROM scanned_blocks s
          WHERE s.chain = c.chain AND s.block_number = c.reread_block_number),
         confirmed_block_timestamp)`,
    );
    await queryRunner.query(
      'ALTER TABLE native_searches ADD COLUMN lowest numeric NOT NULL DEFAULT 0',
    );
  }
}
