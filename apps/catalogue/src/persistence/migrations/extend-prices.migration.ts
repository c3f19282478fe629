import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds the quotes of each price, the last exchange rates and the call counts of data sources. */
export class ExtendPrices1797010000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE prices ADD COLUMN quotes jsonb NOT NULL DEFAULT '[]'`);
    await queryRunner.query(`
      CREATE TABLE fiat_rates (
        currency text PRIMARY KEY,
        usd numeric NOT NULL,
        as_of timestamptz NOT NULL
      )`);
    await queryRunner.query(`
      CREATE TABLE upstream_calls (
        upstream text NOT NULL,
        period text NOT NULL,
        since timestamptz NOT NULL,
        calls integer NOT NULL,
        PRIMARY KEY (upstream, period)
      )`);
  }
}
