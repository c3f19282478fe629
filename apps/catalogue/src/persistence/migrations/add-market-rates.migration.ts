import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** A table of its own: a version that does not know these rates takes every row of `fiat_rates` for the bank's. */
export class AddMarketRates1798000000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE market_rates (
        currency text PRIMARY KEY,
        usd numeric NOT NULL,
        as_of timestamptz NOT NULL
      )`);
  }
}
