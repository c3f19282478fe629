import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { DataSource } from 'typeorm';
import { inClaimOrder } from '../persistence/claim.repository.js';
import type { MadeAttempt } from './attempt.service.js';
import { OUTCOMES } from '../rules/attempt-outcome.js';

const FINAL_STATUSES = ['DELIVERED', 'FAILED'] as const;
type FinalStatus = (typeof FINAL_STATUSES)[number];

/** Upper bound of the counts, so that a scrape costs the same with a backlog of millions. */
const MAX_COUNTED = 10_000;

interface Backlog {
  pending: number;
  due: number;
  overdue: number;
  oldest: number;
  circuits: number;
}

/**
 * Overdue are deliveries that no circuit postpones. The query walks from webhook to webhook through the index, as
 * claims do, since the first due deliveries may all belong to an unavailable receiver.
 */
const BACKLOG = `
  WITH RECURSIVE lane AS (
    (SELECT webhook_id, 1 AS n FROM webhook_deliveries
      WHERE due_at IS NOT NULL ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT following.webhook_id, lane.n + 1 FROM lane CROSS JOIN LATERAL (
      SELECT d.webhook_id FROM webhook_deliveries d
      WHERE d.due_at IS NOT NULL AND d.webhook_id > lane.webhook_id
      ORDER BY d.webhook_id LIMIT 1
    ) AS following
    WHERE lane.n < ${MAX_COUNTED}
  ), first AS (
    SELECT next.due_at FROM lane LEFT JOIN webhook_circuits c ON c.webhook_id = lane.webhook_id
      CROSS JOIN LATERAL (
        SELECT d.due_at FROM webhook_deliveries d
        WHERE ${inClaimOrder('lane.webhook_id', {
          after: `CASE WHEN c.state = 'RECOVERING' THEN c.since ELSE '-infinity' END`,
          until: 'now()',
        })} LIMIT 1
      ) AS next
    WHERE c.state IS DISTINCT FROM 'OPEN'
  )
  SELECT count(*)::integer AS pending, count(*) FILTER (WHERE due_at <= now())::integer AS due,
    (SELECT coalesce(extract(epoch FROM now() - min(due_at)), 0) FROM first)::double precision
      AS overdue,
    greatest(0, extract(epoch FROM now() - min(created_at)))::double precision AS oldest,
    (SELECT count(*) FROM webhook_circuits WHERE state = 'OPEN')::integer AS circuits
  FROM (
    SELECT due_at, created_at FROM webhook_deliveries
    WHERE due_at IS NOT NULL ORDER BY due_at LIMIT ${MAX_COUNTED}
  ) AS d`;

const BACKLOG_GAUGES: Record<keyof Backlog, { name: string; help: string }> = {
  pending: {
    name: 'webhook_deliveries_pending',
    help: `Unfinished deliveries (counted up to ${MAX_COUNTED}).`,
  },
  due: {
    name: 'webhook_deliveries_due',
    help: 'Due deliveries.',
  },
  overdue: {
    name: 'webhook_deliveries_overdue_seconds',
    help: 'Longest time that a delivery has been due, except for those that circuits postpone.',
  },
  oldest: {
    name: 'webhook_deliveries_oldest_seconds',
    help: 'Age of the oldest unfinished delivery.',
  },
  circuits: {
    name: 'webhook_circuits_open',
    help: 'Webhooks with an open circuit.',
  },
};

@Injectable()
export class DeliveryMetricsService {
  private readonly attempts: Counter<'outcome'>;
  private readonly duration: Histogram<'outcome'>;
  private readonly wait: Histogram;
  private readonly finished: Counter<'status'>;

  constructor(
    { metrics }: ServiceContext,
    private readonly dataSource: DataSource,
  ) {
    const registers = [metrics];
    this.attempts = new Counter({
      name: 'webhook_delivery_attempts_total',
      help: 'Attempts by outcome.',
      labelNames: ['outcome'],
      registers,
    });
    this.duration = new Histogram({
      name: 'webhook_delivery_attempt_seconds',
      help: 'Response time of receivers.',
      labelNames: ['outcome'],
      buckets: [0.05, 0.2, 0.5, 1, 2, 5, 10],
      registers,
    });
    this.wait = new Histogram({
      name: 'webhook_delivery_wait_seconds',
      help: 'Time from enqueueing to the first attempt, except for deliveries that a circuit postponed.',
      buckets: [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    });
    this.finished = new Counter({
      name: 'webhook_deliveries_finished_total',
      help: 'Deliveries that were acknowledged, or marked FAILED after their last attempt.',
      labelNames: ['status'],
      registers,
    });
    // Starts each series at 0; otherwise alerts would miss its first event.
    for (const outcome of OUTCOMES) this.attempts.inc({ outcome }, 0);
    for (const status of FINAL_STATUSES) this.finished.inc({ status }, 0);
    this.measureBacklog(registers);
  }

  attempted({ outcome: { kind: outcome }, durationMs }: MadeAttempt): void {
    this.attempts.inc({ outcome });
    this.duration.observe({ outcome }, durationMs / 1_000);
  }

  /** Observes the wait of a delivery before its first attempt. */
  waited(waitedMs: number): void {
    this.wait.observe(waitedMs / 1_000);
  }

  ended(status: FinalStatus, count = 1): void {
    this.finished.inc({ status }, count);
  }

  /** Runs one query per scrape for all gauges. */
  private measureBacklog(registers: ServiceContext['metrics'][]): void {
    let reading: Promise<Backlog | undefined> | undefined;
    const read = (): Promise<Backlog | undefined> =>
      (reading ??= this.readBacklog().finally(() => (reading = undefined)));
    for (const [field, { name, help }] of Object.entries(BACKLOG_GAUGES)) {
      new Gauge({
        name,
        help,
        registers,
        async collect(): Promise<void> {
          const found = await read();
          if (found !== undefined) this.set(found[field as keyof Backlog]);
        },
      });
    }
  }

  private async readBacklog(): Promise<Backlog | undefined> {
    try {
      const [found] = await this.dataSource.query<Backlog[]>(BACKLOG);
      return found;
    } catch {
      return undefined;
    }
  }
}
