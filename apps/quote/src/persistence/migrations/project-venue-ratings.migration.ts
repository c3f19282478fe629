import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds the projection of the ratings of venues. */
export class ProjectVenueRatings1799900000280 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE venue_ratings (
        chain text NOT NULL,
        venue text NOT NULL,
        version integer NOT NULL,
        conversions integer NOT NULL,
        shortfall_ppm integer NOT NULL,
        measured_at timestamptz NOT NULL,
        seen_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (chain, venue)
      )`);
  }
}
