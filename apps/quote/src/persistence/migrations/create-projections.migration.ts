import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class CreateProjections1763700000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE catalogue_assets (
        id text PRIMARY KEY,
        asset jsonb NOT NULL,
        listed boolean NOT NULL,
        version integer NOT NULL
      )`);
    await queryRunner.query(`
      CREATE TABLE prices (
        asset text PRIMARY KEY,
        usd numeric NOT NULL,
        observed_at timestamptz NOT NULL,
        version integer NOT NULL
      )`);
  }
}
