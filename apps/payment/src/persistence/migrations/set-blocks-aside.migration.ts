import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class SetBlocksAside1799500000001 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE set_aside_payments (
         id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
         chain text NOT NULL,
         payment_id uuid NOT NULL,
         reorg_from bigint,
         attempts integer NOT NULL DEFAULT 0,
         failure text NOT NULL,
         since timestamptz NOT NULL DEFAULT now(),
         due_at timestamptz NOT NULL,
         UNIQUE (payment_id, chain)
       )`,
    );
    await queryRunner.query(
      'CREATE INDEX set_aside_payments_due_at_idx ON set_aside_payments (due_at)',
    );
    await queryRunner.query(
      `CREATE TABLE set_aside_blocks (
         chain text NOT NULL,
         payment_id uuid NOT NULL,
         block_number bigint NOT NULL,
         PRIMARY KEY (payment_id, chain, block_number)
       )`,
    );
  }
}
