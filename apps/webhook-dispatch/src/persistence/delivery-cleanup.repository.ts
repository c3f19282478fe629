import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SCHEDULE_MS } from '../rules/delivery-schedule.js';

/** Batch size, which keeps statements of requests and of the maintenance short. */
const CLEANUP_BATCH_SIZE = 1_000;

/** Builds a statement that ends deliveries without an attempt of this process. */
const endStatement = (selection: string, status: string): string => `
  WITH ended AS (
    DELETE FROM webhook_deliveries WHERE id IN (${selection}
      LIMIT ${CLEANUP_BATCH_SIZE} FOR UPDATE OF d SKIP LOCKED)
    RETURNING *
  ), logged AS (
    UPDATE webhook_delivery_log l
    SET status = ${status}, body = e.body, attempts = e.earlier_attempts + e.attempts,
      finished_at = coalesce(e.finished_at, now())
    FROM ended e
    WHERE l.workflow_id = e.workflow_id AND l.webhook_id = e.webhook_id
      AND l.event_type = e.event_type
  )
  SELECT count(*)::integer AS count FROM ended`;

const OF_WEBHOOK = endStatement(
  `SELECT d.id FROM webhook_deliveries d WHERE d.webhook_id = $1 AND d.status = 'PENDING'`,
  `'CANCELLED'`,
);
const OF_DELETED = endStatement(
  `SELECT d.id FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
   WHERE w.deleted_at IS NOT NULL AND d.status = 'PENDING'`,
  `'CANCELLED'`,
);
/** Ends deliveries that an open circuit has postponed for a whole schedule; untried ones count from their creation. */
const POSTPONED = endStatement(
  `SELECT d.id FROM webhook_circuits c JOIN webhook_deliveries d ON d.webhook_id = c.webhook_id
   WHERE c.state = 'OPEN' AND d.status = 'PENDING' AND d.claimed_at IS NULL
     AND coalesce(d.first_attempt_at, d.created_at) < now() - ${SCHEDULE_MS} * interval '1 millisecond'`,
  `'FAILED'`,
);
const BY_PREVIOUS_VERSION = endStatement(
  `SELECT d.id FROM webhook_deliveries d WHERE d.finished_at IS NOT NULL`,
  'e.status',
);
const ATTEMPTS_BY_PREVIOUS_VERSION = `
  WITH moved AS (
    DELETE FROM webhook_delivery_attempts WHERE ctid IN (
      SELECT ctid FROM webhook_delivery_attempts WHERE started_at < now() - interval '1 minute'
      LIMIT ${CLEANUP_BATCH_SIZE} FOR UPDATE SKIP LOCKED)
    RETURNING *
  ), kept AS (
    INSERT INTO webhook_attempts
      (delivery_id, number, started_at, duration_ms, outcome, reason, status_code)
    SELECT delivery_id, number, started_at, duration_ms, coalesce(outcome, 'interrupted'), reason,
      status_code FROM moved
    ON CONFLICT DO NOTHING
  )
  SELECT count(*)::integer AS count FROM moved`;

@Injectable()
export class DeliveryCleanupRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Cancels one batch in the transaction; {@link cancelForDeletedWebhooks} cancels the rest. */
  async cancelForWebhook(manager: EntityManager, webhookId: string): Promise<void> {
    await manager.query(OF_WEBHOOK, [webhookId]);
  }

  cancelForDeletedWebhooks(): Promise<number> {
    return this.untilDone(OF_DELETED);
  }

  /** Returns the number of failed deliveries. */
  failPostponed(): Promise<number> {
    return this.untilDone(POSTPONED);
  }

  /** Logs deliveries and attempts that the previous version finished, also while both versions run. */
  async logPreviousVersion(): Promise<void> {
    await this.untilDone(BY_PREVIOUS_VERSION);
    await this.untilDone(ATTEMPTS_BY_PREVIOUS_VERSION);
  }

  private async untilDone(statement: string): Promise<number> {
    for (let total = 0; ;) {
      const rows: { count: number }[] = await this.dataSource.query(statement);
      const count = rows[0]?.count ?? 0;
      total += count;
      if (count < CLEANUP_BATCH_SIZE) return total;
    }
  }
}
