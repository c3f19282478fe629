import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class CreateIdempotencyRecords1799000000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE idempotency_records (
        identity bytea PRIMARY KEY,
        answer text NOT NULL,
        is_final boolean NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await queryRunner.query(
      'CREATE INDEX idempotency_records_expires_at_idx ON idempotency_records (expires_at)',
    );
  }
}
