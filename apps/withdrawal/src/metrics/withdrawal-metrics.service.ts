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

/** Counts status changes as they happen, and open withdrawals at each scrape. */
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
      help: 'Status changes of withdrawals made by this process, by new status.',
      labelNames: ['status'],
      registers,
    });
    const readOpen = (): Promise<OpenWithdrawals[] | null> => this.open();
    new Gauge({
      name: 'withdrawals_oldest_submitted_seconds',
      help: 'Age of the oldest submitted withdrawal that is not settled, in seconds.',
      registers,
      async collect() {
        const open = await readOpen();
        const submitted = open?.find(({ state }) => state === 'submitted');
        this.set(open === null ? NaN : (submitted?.oldest ?? 0));
      },
    });
    new Gauge({
      name: 'withdrawals_open',
      help: 'Open withdrawals: requested (not signed by the owner) or submitted.',
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

  /** Returns null when the database is unavailable, so that the scrape still succeeds. */
  private async open(): Promise<OpenWithdrawals[] | null> {
    try {
      return await this.dataSource.query(
        `SELECT CASE WHEN submitted THEN 'submitted' ELSE 'requested' END AS state,
           count(*)::int AS count,
           extract(epoch FROM now() - min(updated_at))::float8 AS oldest
         FROM withdrawals WHERE due_at IS NOT NULL AND status = 'PENDING' GROUP BY submitted`,
      );
    } catch (error) {
      this.context.logger.debug({ err: error }, 'could not count open withdrawals');
      return null;
    }
  }
}
