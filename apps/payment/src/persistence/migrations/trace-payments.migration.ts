import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class TracePayments1796300000001 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE payments ADD COLUMN traceparent text');
  }
}
