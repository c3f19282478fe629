import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from './forward-migration.js';

export class CreateLeases1760000000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE leases (
        name text PRIMARY KEY,
        holder text NOT NULL,
        epoch bigint NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
  }
}
