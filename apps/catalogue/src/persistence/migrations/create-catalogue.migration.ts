import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class CreateCatalogue1763700000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE assets (
        id text PRIMARY KEY,
        asset jsonb NOT NULL,
        listed boolean NOT NULL,
        version integer NOT NULL
      )`);
    await queryRunner.query(`
      CREATE TABLE chains (
        name text PRIMARY KEY,
        chain jsonb NOT NULL,
        listed boolean NOT NULL,
        version integer NOT NULL
      )`);
    await queryRunner.query(`
      CREATE TABLE prices (
        asset text PRIMARY KEY,
        usd numeric NOT NULL,
        sources text[] NOT NULL,
        observed_at timestamptz NOT NULL,
        version integer NOT NULL,
        published_at timestamptz NOT NULL
      )`);
  }
}
