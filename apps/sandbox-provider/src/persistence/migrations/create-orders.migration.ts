import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class CreateOrders1763700000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE orders (
        id uuid PRIMARY KEY,
        provider text NOT NULL,
        partner_order_id text NOT NULL,
        status text NOT NULL DEFAULT 'open',
        fiat text NOT NULL,
        fiat_amount text NOT NULL,
        payment_method text NOT NULL,
        network text NOT NULL,
        contract text,
        wallet_address text NOT NULL,
        crypto_amount numeric(78,0) NOT NULL,
        fee_total text NOT NULL,
        redirect_url text,
        delivery_seconds int NOT NULL,
        deliver_bps int NOT NULL DEFAULT 10000,
        outcome text NOT NULL DEFAULT 'delivered',
        loses_callbacks boolean NOT NULL DEFAULT false,
        delivered_amount numeric(78,0),
        transaction_hash text,
        failure_reason text,
        paid_at timestamptz,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        due_at timestamptz,
        UNIQUE (provider, partner_order_id)
      );
      CREATE INDEX orders_due_at_idx ON orders (due_at) WHERE due_at IS NOT NULL;

      CREATE TABLE wallets (
        id text PRIMARY KEY,
        provider text NOT NULL,
        network text NOT NULL,
        address text NOT NULL,
        next_nonce numeric(78,0) NOT NULL,
        due_at timestamptz DEFAULT now()
      );
      CREATE INDEX wallets_due_at_idx ON wallets (due_at);

      CREATE TABLE transfers (
        order_id uuid PRIMARY KEY,
        wallet_id text NOT NULL,
        nonce numeric(78,0) NOT NULL,
        hash text NOT NULL,
        raw_transaction text NOT NULL,
        amount numeric(78,0) NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (wallet_id, nonce)
      );

      CREATE TABLE callbacks (
        id uuid PRIMARY KEY,
        provider text NOT NULL,
        order_id uuid NOT NULL,
        body text NOT NULL,
        attempts int NOT NULL DEFAULT 0,
        last_failure text,
        delivered_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        due_at timestamptz DEFAULT now()
      );
      CREATE INDEX callbacks_due_at_idx ON callbacks (due_at) WHERE due_at IS NOT NULL`);
  }
}
