import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class CreateSolver1796400000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE orders (
        id text PRIMARY KEY,
        origin text NOT NULL,
        destination text,
        output_token text NOT NULL,
        output_amount numeric(78,0),
        body jsonb NOT NULL,
        status text NOT NULL,
        reason text,
        fill_attempts int NOT NULL DEFAULT 0,
        claim_attempts int NOT NULL DEFAULT 0,
        seen_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        due_at timestamptz
      );
      CREATE INDEX orders_due_at_idx ON orders (due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX orders_destination_output_token_idx ON orders (destination, output_token)
        WHERE status IN ('SEEN', 'FILLING');

      CREATE TABLE order_cursors (
        chain text PRIMARY KEY,
        block_number numeric(78,0),
        block_hash text,
        due_at timestamptz DEFAULT now()
      );

      CREATE TABLE allowances (
        id text PRIMARY KEY,
        chain text NOT NULL,
        token text NOT NULL,
        attempts int NOT NULL DEFAULT 0,
        due_at timestamptz DEFAULT now()
      )`);
  }
}
