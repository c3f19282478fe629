import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class BoundCosts1799600000041 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE chain_transactions ADD COLUMN max_cost numeric(78,0)');
  }
}
