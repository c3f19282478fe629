import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class CreateWithdrawals1763710000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE withdrawals (
        id uuid PRIMARY KEY,
        version int NOT NULL,
        payment_id uuid NOT NULL,
        org_id text NOT NULL,
        chain text NOT NULL,
        wallet_address text NOT NULL,
        owner_address text NOT NULL,
        withdraw_account text NOT NULL,
        token_amounts jsonb NOT NULL,
        recipient_address text NOT NULL,
        accept_blame boolean NOT NULL,
        nonce numeric(78,0) NOT NULL,
        declaration jsonb NOT NULL,
        typed_data text NOT NULL,
        signature text,
        submitted boolean NOT NULL,
        submissions int NOT NULL,
        status text NOT NULL,
        transaction_hash text,
        failure text,
        from_block numeric(78,0) NOT NULL,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        due_at timestamptz
      );
      CREATE INDEX withdrawals_payment_id_idx ON withdrawals (payment_id);
      CREATE INDEX withdrawals_due_at_idx ON withdrawals (due_at) WHERE due_at IS NOT NULL;

      CREATE TABLE payments (
        id uuid PRIMARY KEY,
        version int NOT NULL,
        org_id text NOT NULL,
        status text NOT NULL,
        owner_address text NOT NULL,
        wallet_address text NOT NULL,
        deposit_token text NOT NULL,
        required_deposit numeric(78,0) NOT NULL,
        declaration jsonb NOT NULL,
        parent_payment_id uuid
      );
      CREATE INDEX payments_wallet_address_idx ON payments (wallet_address);

      CREATE TABLE assets (
        id text PRIMARY KEY,
        version int NOT NULL,
        chain text NOT NULL,
        symbol text NOT NULL,
        decimals int NOT NULL,
        listed boolean NOT NULL
      );
      CREATE INDEX assets_chain_idx ON assets (chain);

      CREATE TABLE prices (
        asset text PRIMARY KEY,
        version bigint NOT NULL,
        usd text NOT NULL,
        observed_at timestamptz NOT NULL
      )`);
  }
}
