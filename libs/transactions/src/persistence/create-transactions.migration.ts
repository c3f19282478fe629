import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class CreateTransactions1763000000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE chain_signers (
        id uuid PRIMARY KEY,
        chain text NOT NULL,
        address text NOT NULL,
        next_nonce numeric(78,0) NOT NULL,
        due_at timestamptz DEFAULT now(),
        UNIQUE (chain, address)
      );
      CREATE INDEX chain_signers_due_at_idx ON chain_signers (due_at);

      CREATE TABLE chain_transactions (
        id uuid PRIMARY KEY,
        reference text NOT NULL UNIQUE,
        chain text NOT NULL,
        signer text NOT NULL,
        nonce numeric(78,0) NOT NULL,
        target text NOT NULL,
        data text NOT NULL,
        value numeric(78,0) NOT NULL,
        gas_limit numeric(78,0) NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        hash text,
        block_number numeric(78,0),
        gas_cost numeric(78,0),
        due_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        settled_at timestamptz,
        UNIQUE (chain, signer, nonce)
      );
      CREATE INDEX chain_transactions_due_at_idx ON chain_transactions (due_at)
        WHERE due_at IS NOT NULL;

      CREATE TABLE chain_transaction_attempts (
        transaction_id uuid NOT NULL REFERENCES chain_transactions,
        number int NOT NULL,
        purpose text NOT NULL,
        hash text NOT NULL UNIQUE,
        raw_transaction text NOT NULL,
        max_fee_per_gas numeric(78,0) NOT NULL,
        max_priority_fee_per_gas numeric(78,0) NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        broadcast_at timestamptz,
        PRIMARY KEY (transaction_id, number)
      )`);
  }
}
