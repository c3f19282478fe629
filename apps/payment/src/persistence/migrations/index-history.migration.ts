import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

const EXPIRED_UNFUNDED = `(CASE WHEN status = 'EXPIRED' AND NOT funded THEN 1 ELSE 0 END)`;

/** One index per filter, each in the order of the pages. */
const INDEXES = [
  ['payments_history_idx', `org_id, ${EXPIRED_UNFUNDED}, created_at, id`],
  ['payments_owner_idx', `org_id, owner_address, ${EXPIRED_UNFUNDED}, created_at, id`],
  ['payments_destination_idx', `org_id, destination_address, ${EXPIRED_UNFUNDED}, created_at, id`],
  [
    'payments_label_idx',
    `org_id, (quote_request->>'label'), ${EXPIRED_UNFUNDED}, created_at, id`,
    `WHERE quote_request->>'label' IS NOT NULL`,
  ],
] as const;

/** Indexes the history of payments. Concurrently, so outside a transaction and repeatable. */
export class IndexHistory1797900000000 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, columns, condition = ''] of INDEXES) {
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await queryRunner.query(
        `CREATE INDEX CONCURRENTLY ${name} ON payments (${columns}) ${condition}`,
      );
    }
  }
}
