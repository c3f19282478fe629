import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class RecordTaints1799200000002 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE payments ADD COLUMN tainted_by text');
  }
}
