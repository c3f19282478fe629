import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/**
 * Moves ended deliveries out of the table that is claimed from: `webhook_deliveries` keeps pending ones, the
 * partitioned `webhook_delivery_log` every delivery. The previous version keeps working beside this one: a trigger
 * logs what it enqueues, and the maintenance of this version takes over what it finishes.
 */
export class LogDeliveries1795900000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }
}

const LOG = [
  // By the workflow id, which starts with its time, so that the unique key of a delivery can be the primary key.
  `CREATE TABLE webhook_delivery_log (
    id uuid NOT NULL,
    org_id text NOT NULL,
    webhook_id uuid NOT NULL,
    workflow_id uuid NOT NULL,
    event_type text NOT NULL,
    test boolean NOT NULL,
    body bytea,
    status text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    PRIMARY KEY (workflow_id, webhook_id, event_type)
  ) PARTITION BY RANGE (workflow_id)`,
  `CREATE INDEX webhook_delivery_log_id_idx ON webhook_delivery_log (id)`,
  `CREATE INDEX webhook_delivery_log_org_id_created_at_id_idx
    ON webhook_delivery_log (org_id, created_at, id)`,
  `CREATE INDEX webhook_delivery_log_webhook_id_created_at_id_idx
    ON webhook_delivery_log (webhook_id, created_at, id)`,
  `CREATE INDEX webhook_delivery_log_failed_idx
    ON webhook_delivery_log (webhook_id, finished_at) WHERE status = 'FAILED'`,
  `CREATE TABLE webhook_delivery_log_rest PARTITION OF webhook_delivery_log DEFAULT`,
];

const ATTEMPTS = [
  `CREATE TABLE webhook_attempts (
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamptz NOT NULL,
    url text,
    duration_ms integer,
    outcome text NOT NULL,
    reason text,
    status_code integer,
    answer_type text,
    answer bytea,
    PRIMARY KEY (delivery_id, number, started_at)
  ) PARTITION BY RANGE (started_at)`,
  `CREATE TABLE webhook_attempts_rest PARTITION OF webhook_attempts DEFAULT`,
];

const CIRCUITS = `CREATE TABLE webhook_circuits (
    webhook_id uuid PRIMARY KEY,
    state text NOT NULL,
    openings integer NOT NULL,
    not_before timestamptz NOT NULL,
    since timestamptz NOT NULL DEFAULT now()
  )`;

const DELIVERIES = [
  `ALTER TABLE webhook_deliveries
    ADD COLUMN test boolean NOT NULL DEFAULT false,
    ADD COLUMN resent boolean NOT NULL DEFAULT false,
    ADD COLUMN earlier_attempts integer NOT NULL DEFAULT 0,
    ADD COLUMN claimed_at timestamptz,
    ADD COLUMN traceparent text`,
  // Rows live for milliseconds: without eager vacuuming claims read through the dead ones.
  `ALTER TABLE webhook_deliveries SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_vacuum_insert_threshold = -1
  )`,
  `CREATE FUNCTION log_webhook_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO webhook_delivery_log
        (id, org_id, webhook_id, workflow_id, event_type, test, status, created_at)
      SELECT NEW.id, w.org_id, NEW.webhook_id, NEW.workflow_id, NEW.event_type, NEW.test,
        NEW.status, NEW.created_at
      FROM webhooks w WHERE w.id = NEW.webhook_id
      ON CONFLICT DO NOTHING;
      IF NOT FOUND THEN RETURN NULL; END IF;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER log_webhook_delivery BEFORE INSERT ON webhook_deliveries
    FOR EACH ROW WHEN (NOT NEW.resent) EXECUTE FUNCTION log_webhook_delivery()`,
  `INSERT INTO webhook_delivery_log
      (id, org_id, webhook_id, workflow_id, event_type, test, status, created_at)
    SELECT d.id, w.org_id, d.webhook_id, d.workflow_id, d.event_type, false, 'PENDING', d.created_at
    FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
    ON CONFLICT DO NOTHING`,
];

const STATEMENTS = [...LOG, ...ATTEMPTS, CIRCUITS, ...DELIVERIES];
