import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';

interface OpenPayments {
  status: string;
  count: string;
  oldest: number | null;
}

/** Open payments, read when somebody asks, through the index of the open ones. */
@Injectable()
export class PaymentMetrics {
  constructor(
    private readonly dataSource: DataSource,
    { metrics }: ServiceContext,
  ) {
    const readOpen = (): Promise<OpenPayments[]> => this.open();
    new Gauge({
      name: 'payments_open',
      help: 'Payments that are not over, by status.',
      labelNames: ['status'],
      registers: [metrics],
      async collect() {
        this.reset();
        for (const { status, count } of await readOpen()) this.set({ status }, Number(count));
      },
    });
    new Gauge({
      name: 'payments_oldest_funded_seconds',
      help: 'How long ago the open payment that waits longest was funded in full.',
      registers: [metrics],
      async collect() {
        const waits = (await readOpen()).map(({ oldest }) => oldest ?? 0);
        this.set(Math.max(0, ...waits));
      },
    });
  }

  private open(): Promise<OpenPayments[]> {
    return this.dataSource.query(
      `SELECT status, count(*) AS count,
         extract(epoch FROM now() - min(funded_in_full_at))::float8 AS oldest
       FROM payments WHERE status IN ('PENDING', 'WITHDRAW_PENDING') GROUP BY status`,
    );
  }
}
