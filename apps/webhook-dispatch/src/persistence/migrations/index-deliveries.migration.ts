import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Creates the indexes concurrently, which is not possible inside a transaction; each statement can be repeated. */
export class IndexDeliveries1795900000001 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const { name, on } of INDEXES) {
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await queryRunner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
    }
  }
}

const INDEXES = [
  {
    name: 'webhook_deliveries_webhook_id_due_at_idx',
    on: 'webhook_deliveries (webhook_id, due_at) WHERE due_at IS NOT NULL',
  },
  {
    name: 'webhook_deliveries_finished_at_idx',
    on: 'webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL',
  },
];
