import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/**
 * First day of which the inbox is complete. The version before dropped partitions after 30 days, and does so for up to
 * two more days while its replicas are replaced: accepting an older event would repeat its effect.
 */
export class KeepInboxHorizon1799500000031 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE inbox_horizon (day date PRIMARY KEY)');
    await queryRunner.query(
      `INSERT INTO inbox_horizon
       SELECT (now() AT TIME ZONE 'UTC')::date - 28
       WHERE EXISTS (SELECT FROM pg_inherits WHERE inhparent = 'inbox'::regclass)`,
    );
  }
}
