import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { MAX_RESENDABLE_ATTEMPTS } from '../rules/resendable.js';
import type { AttemptEntity } from './attempt.entity.js';
import type { DeliveryWithRequest, LoggedDelivery } from '../rules/logged-delivery.js';
import type { DeliveryStatus } from '../rules/delivery-status.js';

export interface DeliveryFilter {
  orgId: string;
  webhookId?: string | undefined;
  status?: DeliveryStatus | undefined;
  workflowId?: string | undefined;
  before: { id: string; createdAt: string } | null;
  limit: number;
}

export interface FailedSince {
  orgId: string;
  webhookId: string | null;
  since: Date;
  limit: number;
}

const COLUMNS = `
  l.id, l.webhook_id AS "webhookId", w.label, l.event_type AS "eventType",
  l.workflow_id AS "workflowId", l.test, l.status,
  coalesce(d.earlier_attempts + d.attempts, l.attempts) AS attempts,
  to_char(l.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt",
  l.finished_at AS "finishedAt",
  CASE WHEN d.claimed_at IS NULL THEN d.due_at END AS "nextAttemptAt"`;
const SOURCES = `
  webhook_delivery_log l JOIN webhooks w ON w.id = l.webhook_id
    LEFT JOIN webhook_deliveries d ON d.id = l.id`;

/** Newest attempts that are shown, and those of them whose answers are. */
const SHOWN_ATTEMPTS = 100;
const SHOWN_ANSWERS = 20;

const FIND = `
  SELECT ${COLUMNS}, w.url, w.auth_header_name AS "authHeaderName",
    coalesce(d.body, l.body) AS body
  FROM ${SOURCES} WHERE l.id = $1 AND l.org_id = $2`;

/** Reads the newest attempts only, from the end of the index. */
export const ATTEMPTS = `
  WITH newest AS (
    SELECT *, row_number() OVER (ORDER BY number DESC, started_at DESC) AS place
    FROM webhook_attempts WHERE delivery_id = $1
    ORDER BY number DESC, started_at DESC LIMIT ${SHOWN_ATTEMPTS}
  )
  SELECT number, started_at AS "startedAt", url, duration_ms AS "durationMs", outcome, reason,
    status_code AS "statusCode", answer_type AS "answerType",
    CASE WHEN place <= ${SHOWN_ANSWERS} THEN answer END AS answer
  FROM newest ORDER BY place DESC`;

const RESENDABLE = `l.body IS NOT NULL AND l.attempts < ${MAX_RESENDABLE_ATTEMPTS}`;

/** Starts a new schedule with the original id and bytes. */
const RESEND = (chosen: string): string => `
  WITH chosen AS (${chosen}), again AS (
    INSERT INTO webhook_deliveries
      (id, webhook_id, workflow_id, event_type, body, status, due_at, test, resent, earlier_attempts)
    SELECT id, webhook_id, workflow_id, event_type, body, 'PENDING', now(), test, true, attempts
    FROM chosen
  ), logged AS (
    UPDATE webhook_delivery_log l SET status = 'PENDING', body = NULL, finished_at = NULL
    FROM chosen c
    WHERE l.workflow_id = c.workflow_id AND l.webhook_id = c.webhook_id
      AND l.event_type = c.event_type
  )`;

const RESEND_ONE = `${RESEND(`
    SELECT l.* FROM webhook_delivery_log l
    WHERE l.id = $1 AND l.org_id = $2 AND l.status <> 'PENDING' AND ${RESENDABLE}
    FOR UPDATE`)}
  SELECT count(*)::integer AS count FROM chosen`;

/** Resends many deliveries, at the limited rate of a recovering receiver. */
const RESEND_FAILED = `${RESEND(`
    SELECT l.* FROM webhooks w JOIN webhook_delivery_log l ON l.webhook_id = w.id
    WHERE w.org_id = $1 AND w.deleted_at IS NULL AND ($2::uuid IS NULL OR w.id = $2)
      AND l.status = 'FAILED' AND l.finished_at >= $3 AND ${RESENDABLE}
    ORDER BY l.finished_at LIMIT $4
    FOR UPDATE OF l SKIP LOCKED`)}, paced AS (
    INSERT INTO webhook_circuits (webhook_id, state, openings, not_before)
    SELECT DISTINCT webhook_id, 'RECOVERING', 0, now() FROM chosen
    ON CONFLICT DO NOTHING
  )
  SELECT count(*)::integer AS count FROM chosen`;

@Injectable()
export class DeliveryLogRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. */
  async list(filter: DeliveryFilter): Promise<LoggedDelivery[]> {
    const parameters: unknown[] = [];
    const given = (value: unknown): string => `$${parameters.push(value)}`;
    const conditions = [`l.org_id = ${given(filter.orgId)}`];
    if (filter.webhookId !== undefined)
      conditions.push(`l.webhook_id = ${given(filter.webhookId)}`);
    if (filter.status !== undefined) conditions.push(`l.status = ${given(filter.status)}`);
    if (filter.workflowId !== undefined) {
      conditions.push(`l.workflow_id = ${given(filter.workflowId)}`);
    }
    if (filter.before !== null) {
      const { createdAt, id } = filter.before;
      conditions.push(
        `(l.created_at, l.id) < (${given(createdAt)}::timestamptz, ${given(id)}::uuid)`,
      );
    }
    return this.dataSource.query(
      `SELECT ${COLUMNS} FROM ${SOURCES} WHERE ${conditions.join(' AND ')}
       ORDER BY l.created_at DESC, l.id DESC LIMIT ${given(filter.limit)}`,
      parameters,
    );
  }

  async find(orgId: string, id: string): Promise<DeliveryWithRequest | null> {
    const rows: DeliveryWithRequest[] = await this.dataSource.query(FIND, [id, orgId]);
    return rows[0] ?? null;
  }

  /** Returns the newest attempts, oldest first; answers of the earlier ones are left out. */
  attempts(id: string): Promise<Omit<AttemptEntity, 'deliveryId'>[]> {
    return this.dataSource.query(ATTEMPTS, [id]);
  }

  /** Starts a new schedule for an ended delivery; false if it has not ended, or has no attempts left. */
  async resend(orgId: string, id: string): Promise<boolean> {
    const rows: { count: number }[] = await this.dataSource.query(RESEND_ONE, [id, orgId]);
    return (rows[0]?.count ?? 0) > 0;
  }

  /** Makes the next attempt of a pending delivery due now, unless one is in flight. */
  async attemptNow(id: string): Promise<void> {
    await this.dataSource.query(
      'UPDATE webhook_deliveries SET due_at = now() WHERE id = $1 AND claimed_at IS NULL',
      [id],
    );
  }

  async resendFailed(failed: FailedSince): Promise<number> {
    const { orgId, webhookId, since, limit } = failed;
    const rows: { count: number }[] = await this.dataSource.query(RESEND_FAILED, [
      orgId,
      webhookId,
      since,
      limit,
    ]);
    return rows[0]?.count ?? 0;
  }

  async isWebhookDeleted(webhookId: string, manager: EntityManager): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      'SELECT 1 FROM webhooks WHERE id = $1 AND deleted_at IS NULL',
      [webhookId],
    );
    return rows.length === 0;
  }
}
