import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds the switches by which an operator pauses parts of the service. */
export class AddSwitches1799700000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE switches (
        id text PRIMARY KEY,
        version integer NOT NULL,
        paused jsonb NOT NULL
      )`);
  }
}
