import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class AddAssetOverrides1797000000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE asset_overrides (
        id text PRIMARY KEY,
        hidden boolean NOT NULL,
        changes jsonb NOT NULL,
        version integer NOT NULL,
        applied_version integer NOT NULL
      )`);
    await queryRunner.query(`
      CREATE TABLE audit_log (
        id uuid PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT now(),
        actor text NOT NULL,
        action text NOT NULL,
        subject_id text NOT NULL,
        details jsonb NOT NULL
      )`);
    await queryRunner.query('CREATE INDEX audit_log_subject ON audit_log (subject_id, at)');
  }
}
