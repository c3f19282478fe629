import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Counts an owner's small sums by organisation. Sums of the hour before belong to none. */
export class SeparateAllowances1799300000002 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE screening_allowances ADD COLUMN org_id text NOT NULL DEFAULT ''`,
    );
    await queryRunner.query(
      `CREATE INDEX screening_allowances_org_id_owner_allowed_at_idx
       ON screening_allowances (org_id, owner, allowed_at)`,
    );
    await queryRunner.query('DROP INDEX screening_allowances_owner_allowed_at_idx');
  }
}
