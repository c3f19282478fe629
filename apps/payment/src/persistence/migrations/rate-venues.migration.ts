import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Keeps what each attempt was to convert, and how far the conversions of each venue fell short of that. */
export class RateVenues1799900000280 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE legs ADD COLUMN conversion jsonb');
    await queryRunner.query(`
      CREATE TABLE venue_ratings (
        chain text NOT NULL,
        venue text NOT NULL,
        version integer NOT NULL,
        conversions integer NOT NULL,
        shortfall_sum_ppm bigint NOT NULL,
        measured_at timestamptz NOT NULL,
        PRIMARY KEY (chain, venue)
      )`);
  }
}
