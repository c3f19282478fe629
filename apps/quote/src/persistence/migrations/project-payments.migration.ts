import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class ProjectPayments1798200000002 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE payments (
        id uuid PRIMARY KEY,
        version int NOT NULL,
        org_id text NOT NULL,
        status text NOT NULL,
        wallet_address text NOT NULL,
        deposit_token text NOT NULL,
        output_asset text NOT NULL,
        seen_at timestamptz NOT NULL DEFAULT now()
      )`);
  }
}
