import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Payments that cross chains: what their legs sent across, refunds of it, and owners that are contracts. */
export class CrossChains1796400000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }
}

const STATEMENTS = [
  'ALTER TABLE legs ADD COLUMN transfer jsonb',
  'ALTER TABLE withdrawals ADD COLUMN order_id text',
  'ALTER TABLE payments ADD COLUMN owner_chains jsonb',
];
