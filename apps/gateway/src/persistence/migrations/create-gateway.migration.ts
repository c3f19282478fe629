import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class CreateGateway1763720000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE organisations (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        allowed_origins text[],
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`
      CREATE TABLE key_sets (
        id uuid PRIMARY KEY,
        organisation_id uuid NOT NULL,
        label text NOT NULL,
        permissions text[] NOT NULL,
        rate_limit integer CONSTRAINT key_sets_rate_limit CHECK (rate_limit > 0),
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT key_sets_label UNIQUE (organisation_id, label),
        CONSTRAINT key_sets_organisation FOREIGN KEY (organisation_id) REFERENCES organisations (id)
      )`);
    await queryRunner.query(`
      CREATE TABLE api_keys (
        id uuid PRIMARY KEY,
        key_set_id uuid NOT NULL,
        kind text NOT NULL CONSTRAINT api_keys_kind CHECK (kind IN ('secret', 'publishable')),
        hash bytea NOT NULL,
        hint text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        revoked_at timestamptz,
        CONSTRAINT api_keys_key_set FOREIGN KEY (key_set_id) REFERENCES key_sets (id)
      )`);
    await queryRunner.query('CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash)');
    await queryRunner.query('CREATE INDEX api_keys_key_set_id ON api_keys (key_set_id)');
    await queryRunner.query(`
      CREATE TABLE audit_log (
        id uuid PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT now(),
        actor text NOT NULL,
        action text NOT NULL,
        subject_id uuid NOT NULL,
        details jsonb NOT NULL
      )`);
    await queryRunner.query('CREATE INDEX audit_log_subject ON audit_log (subject_id, at)');
  }
}
