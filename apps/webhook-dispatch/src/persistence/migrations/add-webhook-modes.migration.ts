import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/** Adds the mode of a webhook's key; webhooks of before are live. */
export class AddWebhookModes1799000000046 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE webhooks
        ADD COLUMN mode text NOT NULL DEFAULT 'live'
          CONSTRAINT webhooks_mode CHECK (mode IN ('live', 'test'))`);
  }
}
