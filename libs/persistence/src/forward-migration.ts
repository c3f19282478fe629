import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Migration without a way back: a mistake is corrected by the next one. */
export abstract class ForwardMigration implements MigrationInterface {
  abstract up(queryRunner: QueryRunner): Promise<void>;

  down(): Promise<void> {
    return Promise.reject(new Error('migrations are forward-only'));
  }
}
