import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds the projection of the switches. */
export class ProjectSwitches1799700000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE switches (
        id text PRIMARY KEY,
        version integer NOT NULL,
        paused jsonb NOT NULL,
        seen_at timestamptz NOT NULL DEFAULT now()
      )`);
  }
}
