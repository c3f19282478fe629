import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';

interface OpenWithdrawals {
  state: 'requested' | 'submitted';
  count: number;
  oldest: number;
}

/** Open withdrawals are counted when somebody asks, through their index; what ended is counted as it ends. */
@Injectable()
export class WithdrawalMetricsService {
  private readonly changes: Counter<'status'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly context: ServiceContext,
  ) {
    const registers = [context.metrics];
    this.changes = new Counter({
      name: 'withdrawals_status_changes_total',
      help: 'Changes of withdrawals to a status, counted by the process that made them.',
      labelNames: ['status'],
      registers,
    });
    const readOpen = (): Promise<OpenWithdrawals[] | null> => this.open();
    new Gauge({
      name: 'withdrawals_oldest_submitted_seconds',
      help: 'How long ago the unsettled withdrawal that waits longest was submitted.',
      registers,
      async collect() {
        const open = await readOpen();
        const submitted = open?.find(({ state }) => state === 'submitted');
        this.set(open === null ? NaN : (submitted?.oldest ?? 0));
      },
    });
    new Gauge({
      name: 'withdrawals_open',
      help: 'Withdrawals that are not over: requested (the owner has not signed) or submitted.',
      labelNames: ['state'],
      registers,
      async collect() {
        this.reset();
        for (const { state, count } of (await readOpen()) ?? []) this.set({ state }, count);
      },
    });
  }

  countStatusChange({ status }: WithdrawalRecord): void {
    this.changes.inc({ status });
  }

  /** Null while it is not known: a scrape must not fail because the database is away. */
  private async open(): Promise<OpenWithdrawals[] | null> {
    try {
      return await this.dataSource.query(
        `SELECT CASE WHEN submitted THEN 'submitted' ELSE 'requested' END AS state,
           count(*)::int AS count,
           extract(epoch FROM now() - min(updated_at))::float8 AS oldest
         FROM withdrawals WHERE due_at IS NOT NULL AND status = 'PENDING' GROUP BY submitted`,
      );
    } catch (error) {
      this.context.logger.debug({ err: error }, 'open withdrawals are not known');
      return null;
    }
  }
}
