import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Stores what a submission may cost where the fee has to repay all gas. */
export class BoundCosts1799300000043 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE withdrawals ADD COLUMN max_cost_wei numeric(78,0)');
  }
}
