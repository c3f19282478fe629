import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class VerifyOwners1797600000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE owner_verifications (
         address text NOT NULL,
         chain text NOT NULL,
         verified_at timestamptz NOT NULL,
         PRIMARY KEY (address, chain)
       )`,
    );
    await queryRunner.query(
      `CREATE TABLE owner_links (
         org_id text NOT NULL,
         customer_id text NOT NULL,
         address text NOT NULL,
         linked_at timestamptz NOT NULL,
         PRIMARY KEY (org_id, customer_id, address)
       )`,
    );
  }
}
