import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class SendPrivately1799900000270 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE chain_transactions ADD COLUMN private_until timestamptz');
  }
}
