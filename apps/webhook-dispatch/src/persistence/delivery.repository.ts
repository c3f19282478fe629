import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { AttemptOutcome } from '../delivery/outcome.js';
import { SCHEDULE_MS } from '../delivery/retry-schedule.js';
import { deliveryBody, type WorkflowOutcome } from '../enqueue/workflow-outcome.js';

/** A delivery that this process may work on until its lease ends. */
export interface ClaimedDelivery {
  id: string;
  /** The exact `due_at` of the claim: nothing is written for a delivery that somebody else has claimed since. */
  lease: string;
}

export interface BegunAttempt {
  number: number;
  sinceFirstMs: number;
  body: Buffer;
  webhookId: string;
  url: string;
  authHeaderName: string | null;
  /** Encrypted. */
  authHeaderValue: string | null;
  /** Encrypted; oldest first. */
  signingSecrets: string[];
}

export type DeliveryResult =
  { status: 'DELIVERED' | 'FAILED' } | { status: 'PENDING'; delayMs: number };

/** The lock makes a webhook that is being deleted either not found here, or its deliveries found there. */
const SUBSCRIBED = `
  SELECT id FROM webhooks
  WHERE org_id = $1 AND deleted_at IS NULL AND created_at <= $2 AND $3 = ANY (event_types)
  FOR SHARE`;

const INSERT = `
  INSERT INTO webhook_deliveries (id, webhook_id, workflow_id, event_type, body, status, due_at)
  SELECT d.id, d.webhook_id, $4, $5, d.body, 'PENDING', now()
  FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS d (id, webhook_id, body)
  ON CONFLICT DO NOTHING RETURNING 1`;

/** An attempt that an outage has kept from its time is not made when that would be later than the schedule's end. */
const BEGIN = `
  WITH late AS (
    UPDATE webhook_deliveries SET status = 'FAILED', due_at = NULL, finished_at = now()
    WHERE id = $1 AND due_at = $2 AND status = 'PENDING'
      AND first_attempt_at < now() - $3::double precision * interval '1 millisecond'
    RETURNING id
  ), begun AS (
    UPDATE webhook_deliveries
    SET attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, now())
    WHERE id = $1 AND due_at = $2 AND status = 'PENDING'
      AND (first_attempt_at IS NULL
        OR first_attempt_at >= now() - $3::double precision * interval '1 millisecond')
    RETURNING *
  ), attempt AS (
    INSERT INTO webhook_delivery_attempts (delivery_id, number) SELECT id, attempts FROM begun
  )
  SELECT b.attempts AS "number", b.body, w.id AS "webhookId", w.url,
    (extract(epoch FROM now() - b.first_attempt_at) * 1000)::double precision AS "sinceFirstMs",
    w.auth_header_name AS "authHeaderName", w.auth_header_value AS "authHeaderValue",
    ARRAY(
      SELECT sealed FROM webhook_signing_secrets s
      WHERE s.webhook_id = w.id AND (s.retires_at IS NULL OR s.retires_at > now())
      ORDER BY s.created_at, s.id
    ) AS "signingSecrets"
  FROM begun b JOIN webhooks w ON w.id = b.webhook_id
  UNION ALL
  SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM late`;

const FINISH = `
  WITH finished AS (
    UPDATE webhook_deliveries
    SET status = $3, due_at = now() + $4::double precision * interval '1 millisecond',
      finished_at = CASE WHEN $3 = 'PENDING' THEN NULL ELSE now() END
    WHERE id = $1 AND due_at = $2
    RETURNING id, attempts
  )
  UPDATE webhook_delivery_attempts a
  SET outcome = $5, status_code = $6::integer, reason = $7, duration_ms = $8::integer
  FROM finished f WHERE a.delivery_id = f.id AND a.number = f.attempts`;

@Injectable()
export class DeliveryRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** One for each webhook that existed then and asks for it; those that are there already stay as they are. */
  async enqueue(manager: EntityManager, outcome: WorkflowOutcome): Promise<number> {
    const webhooks: { id: string }[] = await manager.query(SUBSCRIBED, [
      outcome.orgId,
      outcome.at,
      outcome.eventType,
    ]);
    const deliveries = webhooks.map((webhook) => ({ id: uuidv7(), webhookId: webhook.id }));
    const inserted: unknown[] = await manager.query(INSERT, [
      deliveries.map(({ id }) => id),
      deliveries.map(({ webhookId }) => webhookId),
      deliveries.map(({ id }) => deliveryBody(id, outcome)),
      outcome.workflowId,
      outcome.eventType,
    ]);
    return inserted.length;
  }

  /**
   * Records the attempt before it is made; `too late` when the schedule has ended, and the delivery is FAILED by that; null
   * when it is no longer this process's.
   */
  async begin(delivery: ClaimedDelivery): Promise<BegunAttempt | 'too late' | null> {
    const rows: (BegunAttempt | { number: null })[] = await this.dataSource.query(BEGIN, [
      delivery.id,
      delivery.lease,
      SCHEDULE_MS,
    ]);
    const [begun] = rows;
    if (begun === undefined) return null;
    return begun.number === null ? 'too late' : begun;
  }

  async finish(
    delivery: ClaimedDelivery,
    result: DeliveryResult,
    attempt: { outcome: AttemptOutcome; durationMs: number },
  ): Promise<void> {
    const { outcome, durationMs } = attempt;
    await this.dataSource.query(FINISH, [
      delivery.id,
      delivery.lease,
      result.status,
      result.status === 'PENDING' ? result.delayMs : null,
      outcome.kind,
      'statusCode' in outcome ? outcome.statusCode : null,
      'reason' in outcome ? outcome.reason : null,
      Math.round(durationMs),
    ]);
  }
}
