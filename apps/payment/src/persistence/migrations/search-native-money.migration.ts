import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/**
 * Keeps what is left to search for native currency that balances have shown. Replicas of the version before search within
 * their scan, and leave the rows alone.
 */
export class SearchNativeMoney1799900000146 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE native_searches (
         search_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
         payment_id uuid NOT NULL,
         chain text NOT NULL,
         height bigint NOT NULL,
         balance numeric NOT NULL,
         residue numeric NOT NULL DEFAULT 0,
         is_explained boolean NOT NULL DEFAULT false,
         is_last boolean NOT NULL,
         holds boolean NOT NULL DEFAULT true,
         attempts integer NOT NULL DEFAULT 0,
         noted_at timestamptz NOT NULL DEFAULT now(),
         due_at timestamptz NOT NULL DEFAULT now(),
         UNIQUE (payment_id, chain)
       )`,
    );
    await queryRunner.query(
      'CREATE INDEX native_searches_due_at_idx ON native_searches (due_at) INCLUDE (chain)',
    );
    await queryRunner.query(
      'CREATE INDEX native_searches_holding_idx ON native_searches (chain) WHERE holds',
    );
    await queryRunner.query(
      'CREATE INDEX native_searches_age_idx ON native_searches (chain, noted_at) WHERE NOT is_explained',
    );
  }
}
