import type { ServiceContext } from '@bascule/process';
import { Counter, Gauge } from 'prom-client';
import type { IdempotencyRecords } from './idempotency-records.js';

const INTERVAL_MS = 60_000;
const BATCH = 1_000;
/** Bounds one run; the next one continues. */
const MAX_BATCHES = 100;

/** Deletes expired records every minute, in batches; concurrent processes are harmless. */
export class RecordPurge {
  private readonly purged: Counter;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly records: IdempotencyRecords,
    private readonly context: ServiceContext,
  ) {
    const registers = [context.metrics];
    this.purged = new Counter({
      name: 'idempotency_records_purged_total',
      help: 'Expired idempotency records that were deleted.',
      registers,
    });
    new Gauge({
      name: 'idempotency_purge_overdue_seconds',
      help: 'Time since the oldest idempotency record expired; a few minutes at most.',
      registers,
      async collect(): Promise<void> {
        const seconds = await records.overdueSeconds().catch(() => undefined);
        if (seconds !== undefined) this.set(seconds);
      },
    });
  }

  start(): void {
    const timer = setInterval(() => {
      this.running = this.run().catch((err: unknown) => {
        this.context.logger.warn({ err }, 'could not delete expired idempotency records');
      });
    }, INTERVAL_MS);
    timer.unref();
    this.context.shutdown.add('intake', 'purge of idempotency records', async () => {
      clearInterval(timer);
      await this.running;
    });
  }

  /** Deletes until nothing expired is left, up to the bound of one run. */
  async run(): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      if (this.context.shutdown.stopping.aborted) return;
      const deleted = await this.records.purge(BATCH);
      this.purged.inc(deleted);
      if (deleted < BATCH) return;
    }
  }
}
