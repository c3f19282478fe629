import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Indexes links by address. Concurrently, so outside a transaction and repeatable. */
export class IndexOwnerLinks1799100000001 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS owner_links_address_idx');
    await queryRunner.query(
      `CREATE INDEX CONCURRENTLY owner_links_address_idx
       ON owner_links (org_id, address, customer_id)`,
    );
  }
}
