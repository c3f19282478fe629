import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Separate table: an older version treats every row of `fiat_rates` as a rate of the central bank. */
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
