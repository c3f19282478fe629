import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/**
 * Without foreign keys: rows of a payment are only written under its row's lock or in the statement that inserts it,
 * and the checks would cost the hot statement a look-up per row.
 */
export class CreatePayments1795200000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }
}

const STATEMENTS = [
  `CREATE TABLE payments (
    id uuid PRIMARY KEY,
    org_id text NOT NULL,
    status text NOT NULL,
    status_before_withdrawal text,
    funded boolean NOT NULL,
    funded_in_full_at timestamptz,
    version integer NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    completed_at timestamptz,
    due_at timestamptz,
    initiate_fund_by timestamptz NOT NULL,
    declaration_expires_at timestamptz NOT NULL,
    owner_chain text NOT NULL,
    owner_address text NOT NULL,
    destination_address text NOT NULL,
    wallet_address text NOT NULL,
    declaration jsonb NOT NULL,
    declaration_hash text NOT NULL,
    plan jsonb NOT NULL,
    quoted jsonb NOT NULL,
    quote_request jsonb NOT NULL,
    current_prices jsonb NOT NULL,
    price_currency text NOT NULL,
    decimals jsonb NOT NULL,
    geolocation jsonb,
    client_redirect_url text,
    client_redirect_after text
  )`,
  `CREATE INDEX payments_due_at_idx ON payments (due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX payments_open_idx ON payments (status, funded_in_full_at)
    WHERE status IN ('PENDING', 'WITHDRAW_PENDING')`,
  `CREATE TABLE legs (
    id uuid PRIMARY KEY,
    payment_id uuid NOT NULL,
    leg_index smallint NOT NULL,
    chain text NOT NULL,
    status text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    transaction_hash text,
    due_at timestamptz,
    settlement jsonb,
    failure jsonb
  )`,
  `CREATE UNIQUE INDEX legs_payment_id_leg_index_idx ON legs (payment_id, leg_index)`,
  `CREATE INDEX legs_due_at_idx ON legs (due_at) WHERE due_at IS NOT NULL`,
  `CREATE TABLE deposits (
    id uuid PRIMARY KEY,
    payment_id uuid NOT NULL,
    chain text NOT NULL,
    token text NOT NULL,
    amount numeric(78,0) NOT NULL,
    decimals smallint NOT NULL,
    usd_price numeric,
    sender text,
    transaction_hash text NOT NULL,
    position text NOT NULL,
    block_number bigint NOT NULL,
    block_hash text NOT NULL,
    block_timestamp timestamptz NOT NULL,
    confirmed boolean NOT NULL
  )`,
  `CREATE UNIQUE INDEX deposits_transfer_idx ON deposits (chain, transaction_hash, position)`,
  `CREATE INDEX deposits_payment_id_idx ON deposits (payment_id)`,
  `CREATE INDEX deposits_chain_block_number_idx ON deposits (chain, block_number)`,
  `CREATE INDEX deposits_unconfirmed_idx ON deposits (chain, block_number) WHERE NOT confirmed`,
  `CREATE TABLE watched_wallets (
    address text PRIMARY KEY,
    payment_id uuid NOT NULL
  )`,
  `CREATE TABLE withdrawals (
    payment_id uuid NOT NULL,
    chain text NOT NULL,
    nonce numeric(78,0) NOT NULL,
    withdraw_id text NOT NULL,
    token_amounts jsonb NOT NULL,
    recipient_address text,
    accept_blame boolean NOT NULL,
    submitted boolean NOT NULL,
    status text NOT NULL,
    transaction_hash text,
    failure text,
    version bigint NOT NULL,
    landed jsonb,
    PRIMARY KEY (payment_id, chain, nonce)
  )`,
  `CREATE INDEX withdrawals_landed_idx ON withdrawals (chain, ((landed->>'blockNumber')::bigint))
    WHERE landed IS NOT NULL`,
  `CREATE TABLE checkouts (
    payment_id uuid PRIMARY KEY,
    provider text NOT NULL,
    method text NOT NULL,
    checkout_id text,
    url text,
    url_expires_at timestamptz,
    status text NOT NULL,
    paid_at timestamptz,
    transaction_hash text,
    failure text,
    polled_at timestamptz,
    due_at timestamptz
  )`,
  `CREATE INDEX checkouts_due_at_idx ON checkouts (due_at) WHERE due_at IS NOT NULL`,
  `CREATE TABLE provider_callbacks (
    provider text NOT NULL,
    callback_id text NOT NULL,
    payment_id text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (provider, callback_id)
  )`,
  `CREATE TABLE chain_cursors (
    chain text PRIMARY KEY,
    block_number bigint NOT NULL,
    block_hash text NOT NULL,
    block_timestamp timestamptz NOT NULL,
    confirmed_block_number bigint,
    confirmed_block_timestamp timestamptz,
    epoch bigint NOT NULL
  )`,
  `CREATE TABLE scanned_blocks (
    chain text NOT NULL,
    block_number bigint NOT NULL,
    block_hash text NOT NULL,
    block_timestamp timestamptz NOT NULL,
    PRIMARY KEY (chain, block_number)
  )`,
  `CREATE TABLE assets (
    id text PRIMARY KEY,
    version bigint NOT NULL,
    chain text,
    decimals smallint NOT NULL,
    asset jsonb NOT NULL,
    listed boolean NOT NULL
  )`,
  `CREATE INDEX assets_listed_chain_idx ON assets (chain) WHERE listed`,
  `CREATE TABLE prices (
    asset text PRIMARY KEY,
    version bigint NOT NULL,
    usd numeric NOT NULL,
    observed_at timestamptz NOT NULL
  )`,
];
