import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { DataSource } from 'typeorm';
import type { MadeAttempt } from './attempt.service.js';

/** Counted so far, so that a scrape costs the same with a backlog of millions. */
const MOST_COUNTED = 10_000;

interface Backlog {
  pending: number;
  due: number;
  overdue: number;
  oldest: number;
  circuits: number;
}

const BACKLOG = `
  SELECT count(*)::integer AS pending, count(*) FILTER (WHERE due_at <= now())::integer AS due,
    greatest(0, extract(epoch FROM now() - min(due_at)))::double precision AS overdue,
    greatest(0, extract(epoch FROM now() - min(created_at)))::double precision AS oldest,
    (SELECT count(*) FROM webhook_circuits WHERE state = 'OPEN')::integer AS circuits
  FROM (
    SELECT due_at, created_at FROM webhook_deliveries
    WHERE due_at IS NOT NULL ORDER BY due_at LIMIT ${MOST_COUNTED}
  ) AS d`;

@Injectable()
export class DeliveryMetrics {
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
      help: 'How long receivers took.',
      labelNames: ['outcome'],
      buckets: [0.05, 0.2, 0.5, 1, 2, 5, 10],
      registers,
    });
    this.wait = new Histogram({
      name: 'webhook_delivery_wait_seconds',
      help: 'From enqueueing to the start of the attempt that was acknowledged.',
      buckets: [0.02, 0.05, 0.1, 0.5, 2, 10, 60, 600, 3_600, 86_400],
      registers,
    });
    this.finished = new Counter({
      name: 'webhook_deliveries_finished_total',
      help: 'Deliveries that were acknowledged, or marked FAILED after their last attempt.',
      labelNames: ['status'],
      registers,
    });
    this.measureBacklog(registers);
  }

  attempted({ outcome: { kind: outcome }, durationMs }: MadeAttempt): void {
    this.attempts.inc({ outcome });
    this.duration.observe({ outcome }, durationMs / 1_000);
  }

  delivered(waitedMs: number): void {
    this.wait.observe(waitedMs / 1_000);
  }

  ended(status: 'DELIVERED' | 'FAILED', count = 1): void {
    this.finished.inc({ status }, count);
  }

  /** One query per scrape: all gauges are set when the first is collected. */
  private measureBacklog(registers: ServiceContext['metrics'][]): void {
    const read = (): Promise<Backlog | undefined> =>
      this.dataSource.query<Backlog[]>(BACKLOG).then(
        ([found]) => found,
        () => undefined,
      );
    const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers });
    const due = gauge('webhook_deliveries_due', 'Deliveries that are due and wait to be sent.');
    const overdue = gauge(
      'webhook_deliveries_overdue_seconds',
      'How long the delivery that waits longest has been due.',
    );
    const oldest = gauge(
      'webhook_deliveries_oldest_seconds',
      'The age of the oldest delivery that is not finished.',
    );
    const circuits = gauge(
      'webhook_circuits_open',
      'Webhooks whose receivers are not to be reached at present.',
    );
    new Gauge({
      name: 'webhook_deliveries_pending',
      help: `Deliveries that are not finished (counted up to ${MOST_COUNTED}).`,
      registers,
      async collect(): Promise<void> {
        const found = await read();
        if (found === undefined) return;
        this.set(found.pending);
        due.set(found.due);
        overdue.set(found.overdue);
        oldest.set(found.oldest);
        circuits.set(found.circuits);
      },
    });
  }
}
