import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class TellModes1799200000003 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE payments ADD COLUMN mode text NOT NULL DEFAULT 'live'`);
  }
}
