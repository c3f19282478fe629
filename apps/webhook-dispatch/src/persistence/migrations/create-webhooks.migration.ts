import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class CreateWebhooks1795300000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }
}

const STATEMENTS = [
  `CREATE TABLE webhooks (
    id uuid PRIMARY KEY,
    org_id text NOT NULL,
    label text NOT NULL,
    url text NOT NULL,
    event_types text[] NOT NULL,
    auth_header_name text,
    auth_header_value text,
    created_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz
  )`,
  `CREATE UNIQUE INDEX webhooks_org_id_label_key ON webhooks (org_id, label) WHERE deleted_at IS NULL`,
  `CREATE TABLE webhook_signing_secrets (
    id uuid PRIMARY KEY,
    webhook_id uuid NOT NULL,
    sealed text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    retires_at timestamptz
  )`,
  `CREATE INDEX webhook_signing_secrets_webhook_id_idx ON webhook_signing_secrets (webhook_id)`,
  `CREATE TABLE webhook_deliveries (
    id uuid PRIMARY KEY,
    webhook_id uuid NOT NULL,
    workflow_id uuid NOT NULL,
    event_type text NOT NULL,
    body bytea NOT NULL,
    status text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    first_attempt_at timestamptz,
    due_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    CONSTRAINT webhook_deliveries_workflow_id_webhook_id_event_type_key
      UNIQUE (workflow_id, webhook_id, event_type)
  )`,
  `CREATE INDEX webhook_deliveries_due_at_idx ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX webhook_deliveries_pending_idx ON webhook_deliveries (webhook_id)
    WHERE status = 'PENDING'`,
  `CREATE TABLE webhook_delivery_attempts (
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    duration_ms integer,
    outcome text,
    status_code integer,
    reason text,
    PRIMARY KEY (delivery_id, number)
  )`,
];
