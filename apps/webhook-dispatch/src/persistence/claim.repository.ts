import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { CircuitState } from '../rules/circuit.js';
import type { ClaimKind } from '../rules/claim-queue.js';

const FIRST = '00000000-0000-0000-0000-000000000000';

export interface DueWebhook {
  webhookId: string;
  orgId: string;
  url: string;
  circuit: CircuitState | null;
  /** Due deliveries, without the backlog while the receiver recovers. */
  due: number;
  backlog: number;
}

export interface DueWebhookPage {
  webhooks: DueWebhook[];
  /** Start of the next page; null after the last. */
  next: string | null;
}

export interface ClaimGrant {
  kind: ClaimKind;
  webhookId: string;
  slots: number;
  /** Time for which no other process may claim of this kind. */
  holdMs: number | null;
}

/** A delivery that this process may attempt until its lease ends. */
export interface ClaimedDelivery {
  id: string;
  /** Exact `due_at` of the claim, the fence of each write for the delivery. */
  lease: string;
  kind: ClaimKind;
  /** Consecutive openings of the circuit; 0 while it is closed. */
  openings: number;
  /** Attempts of this schedule before the claimed one. */
  attempts: number;
  sinceFirstMs: number;
  waitedMs: number;
  body: Buffer;
  traceparent: string | null;
  webhookId: string;
  orgId: string;
  url: string;
  authHeaderName: string | null;
  /** Encrypted. */
  authHeaderValue: string | null;
  /** Encrypted; oldest first. */
  signingSecrets: string[];
}

/**
 * Selects the deliveries of a webhook in due order from the one index with that order. Compared column by column, the
 * planner could use the index of `due_at` and read the due deliveries of all webhooks.
 */
export const inClaimOrder = (webhook: string, bounds: { after: string; until: string }): string =>
  `(d.webhook_id, d.due_at) > (${webhook}, ${bounds.after})
            AND (d.webhook_id, d.due_at) <= (${webhook}, ${bounds.until})
            AND d.due_at IS NOT NULL
          ORDER BY d.webhook_id, d.due_at`;

/**
 * Walks from webhook to webhook through the index. The cost grows with the webhooks that have due deliveries, up to the
 * page, not with the number of deliveries.
 */
export const DUE_WEBHOOKS = `
  WITH RECURSIVE lane AS (
    (SELECT webhook_id, 1 AS n FROM webhook_deliveries
      WHERE due_at IS NOT NULL AND webhook_id > $1 ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT following.webhook_id, lane.n + 1 FROM lane CROSS JOIN LATERAL (
      SELECT d.webhook_id FROM webhook_deliveries d
      WHERE d.due_at IS NOT NULL AND d.webhook_id > lane.webhook_id
      ORDER BY d.webhook_id LIMIT 1
    ) AS following
    WHERE lane.n < $2
  ), found AS (
    SELECT w.id, w.org_id, w.url, c.state, regular.due, backlog.due AS backlog
    FROM lane
      JOIN webhooks w ON w.id = lane.webhook_id AND w.deleted_at IS NULL
      LEFT JOIN webhook_circuits c ON c.webhook_id = w.id
      CROSS JOIN LATERAL (
        SELECT count(*)::integer AS due FROM (
          SELECT FROM webhook_deliveries d WHERE ${inClaimOrder('lane.webhook_id', {
            after: `CASE WHEN c.state = 'RECOVERING' THEN c.since ELSE '-infinity' END`,
            until: 'now()',
          })} LIMIT $3
        ) AS counted
      ) AS regular
      CROSS JOIN LATERAL (
        SELECT count(*)::integer AS due FROM (
          SELECT FROM webhook_deliveries d
          WHERE c.state = 'RECOVERING' AND c.not_before <= now()
            AND ${inClaimOrder('lane.webhook_id', { after: `'-infinity'`, until: 'c.since' })} LIMIT $4
        ) AS counted
      ) AS backlog
    WHERE (c.state IS DISTINCT FROM 'OPEN' OR c.not_before <= now())
      AND regular.due + backlog.due > 0
  )
  SELECT page.scanned, page.last, found.id AS "webhookId", found.org_id AS "orgId", found.url,
    found.state AS circuit, found.due, found.backlog
  FROM (
    SELECT count(*)::integer AS scanned,
      (SELECT webhook_id FROM lane ORDER BY n DESC LIMIT 1) AS last FROM lane
  ) AS page LEFT JOIN found ON true`;

/**
 * Claims deliveries and logs attempts of crashed processes as interrupted. The plan must not depend on the size of the
 * table: each queue has a limit, so rows are read in the order of the index and locked rows are found by their ctid. More
 * rows than claimed may be locked during the statement.
 */
export const CLAIM = `
  WITH granted AS (
    SELECT * FROM unnest($1::text[], $2::uuid[], $3::integer[], $4::double precision[])
      AS g (kind, webhook_id, slots, hold_ms)
  ), turn AS (
    UPDATE webhook_circuits c SET not_before = now() + g.hold_ms * interval '1 millisecond'
    FROM granted g
    WHERE c.webhook_id = g.webhook_id AND c.not_before <= now()
      AND c.state = CASE g.kind WHEN 'trial' THEN 'OPEN' WHEN 'backlog' THEN 'RECOVERING' END
    RETURNING g.kind, c.webhook_id, c.since
  ), admitted AS (
    SELECT g.kind, g.webhook_id, g.slots,
      '-infinity'::timestamptz AS after, 'infinity'::timestamptz AS until
    FROM granted g
    WHERE g.kind = 'regular'
      AND NOT EXISTS (SELECT FROM webhook_circuits c WHERE c.webhook_id = g.webhook_id)
    UNION ALL
    SELECT g.kind, g.webhook_id, g.slots, c.since, 'infinity'
    FROM granted g JOIN webhook_circuits c ON c.webhook_id = g.webhook_id
    WHERE g.kind = 'fresh' AND c.state = 'RECOVERING'
    UNION ALL
    SELECT g.kind, g.webhook_id, g.slots, '-infinity',
      CASE WHEN g.kind = 'backlog' THEN t.since ELSE 'infinity' END
    FROM granted g JOIN turn t ON t.webhook_id = g.webhook_id AND t.kind = g.kind
  ), locked AS MATERIALIZED (
    SELECT admitted.kind, admitted.slots, found.*, row_number() OVER lane AS place
    FROM admitted CROSS JOIN LATERAL (
      SELECT d.ctid AS row, d.id, d.due_at, d.claimed_at,
        d.earlier_attempts + d.attempts AS attempts
      FROM webhook_deliveries d
      WHERE ${inClaimOrder('admitted.webhook_id', {
        after: 'admitted.after',
        until: 'least(now(), admitted.until)',
      })} LIMIT $6
      FOR UPDATE SKIP LOCKED
    ) AS found
    WINDOW lane AS (PARTITION BY admitted.kind, admitted.webhook_id ORDER BY found.due_at)
  ), due AS MATERIALIZED (
    SELECT * FROM locked WHERE place <= slots
  ), interrupted AS (
    INSERT INTO webhook_attempts (delivery_id, number, started_at, outcome)
    SELECT id, attempts, claimed_at, 'interrupted' FROM due WHERE claimed_at IS NOT NULL
    ON CONFLICT DO NOTHING
  ), updated AS (
    UPDATE webhook_deliveries q
    SET due_at = now() + $5 * interval '1 millisecond', claimed_at = now(),
      attempts = q.attempts + 1, first_attempt_at = coalesce(q.first_attempt_at, now())
    WHERE q.ctid = ANY (ARRAY(SELECT row FROM due))
    RETURNING q.*
  ), claimed AS (
    SELECT updated.*, due.kind FROM updated JOIN due ON due.id = updated.id
  )
  SELECT c.id, c.due_at::text AS lease, c.kind, coalesce(circuit.openings, 0) AS openings,
    c.attempts - 1 AS attempts,
    (extract(epoch FROM now() - c.first_attempt_at) * 1000)::double precision AS "sinceFirstMs",
    (extract(epoch FROM now() - c.created_at) * 1000)::double precision AS "waitedMs",
    c.body, c.traceparent, w.id AS "webhookId", w.org_id AS "orgId", w.url,
    w.auth_header_name AS "authHeaderName", w.auth_header_value AS "authHeaderValue",
    ARRAY(
      SELECT sealed FROM webhook_signing_secrets s
      WHERE s.webhook_id = w.id AND (s.retires_at IS NULL OR s.retires_at > now())
      ORDER BY s.created_at, s.id
    ) AS "signingSecrets"
  FROM claimed c JOIN webhooks w ON w.id = c.webhook_id
    LEFT JOIN webhook_circuits circuit ON circuit.webhook_id = w.id`;

@Injectable()
export class ClaimRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Webhooks with something to be sent now, after this one. `most` bounds what is counted of each. */
  async findDueWebhooks(
    after: string | null,
    page: number,
    most: { due: number; backlog: number },
  ): Promise<DueWebhookPage> {
    const rows: (Partial<DueWebhook> & { scanned: number; last: string | null })[] =
      await this.dataSource.query(DUE_WEBHOOKS, [after ?? FIRST, page, most.due, most.backlog]);
    const [first] = rows;
    const isFull = first !== undefined && first.scanned === page;
    return { webhooks: rows.filter(isDueWebhook), next: isFull ? first.last : null };
  }

  async claim(grants: readonly ClaimGrant[], leaseMs: number): Promise<ClaimedDelivery[]> {
    return this.dataSource.query(CLAIM, [
      grants.map(({ kind }) => kind),
      grants.map(({ webhookId }) => webhookId),
      grants.map(({ slots }) => slots),
      grants.map(({ holdMs }) => holdMs),
      leaseMs,
      Math.max(...grants.map(({ slots }) => slots)),
    ]);
  }
}

const isDueWebhook = <T extends Partial<DueWebhook>>(row: T): row is T & DueWebhook =>
  typeof row.webhookId === 'string';
