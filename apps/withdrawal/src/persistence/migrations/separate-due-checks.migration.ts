import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

const IN_FLIGHT = "status = 'PENDING' AND submitted";
const INDEXES = [
  {
    name: 'withdrawals_due_at_in_flight_idx',
    on: `(due_at, org_id) WHERE due_at IS NOT NULL AND ${IN_FLIGHT}`,
  },
  {
    name: 'withdrawals_due_at_others_idx',
    on: `(due_at, chain) WHERE due_at IS NOT NULL AND NOT (${IN_FLIGHT})`,
  },
];

/** Claims withdrawals in flight apart from the others. Indexes concurrently, so outside a transaction and repeatable. */
export class SeparateDueChecks1799500000001 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const { name, on } of INDEXES) {
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await queryRunner.query(`CREATE INDEX CONCURRENTLY ${name} ON withdrawals ${on}`);
    }
  }
}
