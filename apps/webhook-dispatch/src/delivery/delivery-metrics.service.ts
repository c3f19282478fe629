import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { DataSource } from 'typeorm';

const PENDING = `
  SELECT count(*)::integer AS pending,
    coalesce(extract(epoch FROM now() - min(due_at)), 0)::double precision AS overdue
  FROM (SELECT due_at FROM webhook_deliveries WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 10000) AS d`;

@Injectable()
export class DeliveryMetrics {
  readonly attempts: Counter<'outcome'>;
  readonly duration: Histogram;
  readonly finished: Counter<'status'>;

  constructor({ metrics }: ServiceContext, dataSource: DataSource) {
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
      buckets: [0.05, 0.2, 0.5, 1, 2, 5, 10],
      registers,
    });
    this.finished = new Counter({
      name: 'webhook_deliveries_finished_total',
      help: 'Deliveries that were acknowledged, or marked FAILED after their last attempt.',
      labelNames: ['status'],
      registers,
    });
    const overdue = new Gauge({
      name: 'webhook_deliveries_overdue_seconds',
      help: 'How long the delivery that waits longest has been due.',
      registers,
    });
    new Gauge({
      name: 'webhook_deliveries_pending',
      help: 'Deliveries that are not finished (counted up to 10000).',
      registers,
      async collect(): Promise<void> {
        const rows: { pending: number; overdue: number }[] = await dataSource
          .query<{ pending: number; overdue: number }[]>(PENDING)
          .catch(() => []);
        const [found] = rows;
        if (found === undefined) return;
        this.set(found.pending);
        overdue.set(Math.max(0, found.overdue));
      },
    });
  }
}
