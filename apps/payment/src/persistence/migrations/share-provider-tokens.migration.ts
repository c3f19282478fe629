import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds access tokens that all replicas share, of providers where a new token invalidates the one before. */
export class ShareProviderTokens1799900000316 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE provider_tokens (
         provider text NOT NULL PRIMARY KEY,
         version integer NOT NULL,
         sealed text,
         expires_at timestamptz,
         obtained_at timestamptz,
         former jsonb NOT NULL DEFAULT '[]',
         claim_id uuid,
         claimable_at timestamptz NOT NULL,
         short_lived integer NOT NULL DEFAULT 0
       )`,
    );
  }
}
