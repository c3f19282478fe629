import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class RememberEmptyWallets1799100000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE empty_wallets (
         payment_id uuid PRIMARY KEY,
         version integer NOT NULL,
         read_at timestamptz NOT NULL
       )`,
    );
  }
}
