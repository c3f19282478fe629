import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Marks deposits that a second node has confirmed. Earlier ones count as unwitnessed, which asks once more only. */
export class WitnessDeposits1799800000081 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE deposits ADD COLUMN IF NOT EXISTS is_witnessed boolean NOT NULL DEFAULT false',
    );
  }
}
