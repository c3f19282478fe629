import { runInTrace, type ServiceContext, WakeSignal } from '@bascule/process';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { DataSource } from 'typeorm';
import { claimStatement, type ClaimOptions } from './claim-statement.js';

export interface DueWorkerOptions<Row> extends ClaimOptions {
  /** Names the worker in logs and metrics. */
  name: string;
  dataSource: DataSource;
  batchSize: number;
  /** Rows handled concurrently. */
  concurrency: number;
  /** Lease of a claimed row; must exceed a handler's duration, since expired rows are claimed again. */
  leaseMs: number;
  /** Poll interval, for missed {@link DueWorker.wake} calls. */
  pollMs: number;
  /**
   * Handles a due row and, in its own transaction, sets its next `due_at` (or null). The `due_at` of the row is the
   * end of its lease: `WHERE due_at = <that>` fences a handler whose row was claimed by another process.
   */
  handle: (row: Row) => Promise<void>;
  /** Trace of the row, in which its handler runs. */
  traceparentOf?: (row: Row) => string | null;
  context: ServiceContext;
}

/** Gives the rows of each of so many chains slots of their own: those of one that hangs take none of another. */
export const slotsPerChain = (slots: number, chains: number) => ({
  holders: { column: 'chain', most: slots },
  batchSize: 1,
  concurrency: slots * Math.max(1, chains),
});

const MAX_BACKOFF_MS = 5_000;

/** Claims due rows under a lease and handles them. The row of a failed handler is due again when its lease ends. */
export class DueWorker<Row extends object> {
  private readonly signal = new WakeSignal();
  private readonly inFlight = new Set<Promise<void>>();
  private readonly ofHolder = new Map<string, number>();
  private readonly statement: string;
  private readonly metrics: ReturnType<typeof workerMetrics>;
  private stopped = false;
  private loop: Promise<void> | undefined;

  constructor(private readonly options: DueWorkerOptions<Row>) {
    this.statement = claimStatement(options);
    this.metrics = workerMetrics(options.context);
  }

  start(): void {
    if (this.loop !== undefined) return;
    const { name, context } = this.options;
    context.shutdown.add('intake', `worker ${name}`, () => this.stopClaiming());
    context.shutdown.add('work', `worker ${name}`, () => this.stop());
    this.loop = this.run();
  }

  /** Polls for due rows now, e.g. after a commit that added one. */
  wake(): void {
    this.signal.wake();
  }

  /** Stops claiming and waits for running handlers. */
  async stop(): Promise<void> {
    await this.stopClaiming();
    await Promise.all(this.inFlight);
  }

  private async stopClaiming(): Promise<void> {
    this.stopped = true;
    this.signal.wake();
    await this.loop;
  }

  private async run(): Promise<void> {
    let backoff = this.options.pollMs;
    while (!this.stopped) {
      try {
        const more = await this.claimAndHandle();
        backoff = this.options.pollMs;
        if (more) continue;
        await this.signal.wait(this.options.pollMs);
      } catch (error) {
        this.options.context.logger.warn(
          { err: error, worker: this.options.name },
          'claiming due rows failed',
        );
        backoff = Math.min(backoff * 2, MAX_BACKOFF_MS);
        await this.signal.wait(backoff);
      }
    }
  }

  /** Claims a batch; true when more rows are probably due. */
  private async claimAndHandle(): Promise<boolean> {
    const { concurrency, batchSize, leaseMs, dataSource, holders } = this.options;
    if (this.inFlight.size >= concurrency) {
      await Promise.race(this.inFlight);
      return true;
    }
    // One at a time where holders are bounded: a batch could have too many of one.
    const free = concurrency - this.inFlight.size;
    const limit = holders === undefined ? Math.min(batchSize, free) : 1;
    const parameters = [leaseMs, limit, ...(holders === undefined ? [] : [this.busyHolders()])];
    const [rows]: [Row[], number] = await dataSource.query(this.statement, parameters);
    for (const row of rows) this.handle(row);
    return rows.length === limit;
  }

  private busyHolders(): string[] {
    const most = this.options.holders?.most ?? Infinity;
    return [...this.ofHolder].flatMap(([holder, rows]) => (rows < most ? [] : [holder]));
  }

  /** Counts a row of its holder; once it ends, rows of a holder that was busy may be due. */
  private countHolder(row: Row, change: 1 | -1): void {
    const { holders } = this.options;
    if (holders === undefined) return;
    const holder = String(row[holders.column as keyof Row]);
    const before = this.ofHolder.get(holder) ?? 0;
    if (before + change === 0) this.ofHolder.delete(holder);
    else this.ofHolder.set(holder, before + change);
    if (change < 0 && before >= holders.most) this.signal.wake();
  }

  private handle(row: Row): void {
    const labels = { worker: this.options.name };
    const stopTimer = this.metrics.duration.startTimer(labels);
    this.metrics.inFlight.inc(labels);
    this.countHolder(row, 1);
    const handled = this.inTraceOf(row, () => this.attempt(row)).finally(() => {
      stopTimer();
      this.metrics.inFlight.dec(labels);
      this.inFlight.delete(handled);
      this.countHolder(row, -1);
    });
    this.inFlight.add(handled);
  }

  private async attempt(row: Row): Promise<void> {
    const { name, context, handle } = this.options;
    try {
      await handle(row);
      this.metrics.handled.inc({ worker: name, outcome: 'done' });
    } catch (error) {
      this.metrics.handled.inc({ worker: name, outcome: 'failed' });
      context.logger.error({ err: error, worker: name }, 'handler of a due row failed');
    }
  }

  /** Runs the handler in the row's trace, if it has one. Polls make no spans, which would flood the collector. */
  private inTraceOf(row: Row, work: () => Promise<void>): Promise<void> {
    const { context, traceparentOf } = this.options;
    const traceparent = traceparentOf?.(row) ?? undefined;
    return traceparent === undefined ? work() : runInTrace(traceparent, work, context.name);
  }
}

/** Metrics of a service, shared by its workers. */
function workerMetrics({ metrics: registry }: ServiceContext) {
  const existing = <T>(name: string, create: () => T): T =>
    (registry.getSingleMetric(name) as T | undefined) ?? create();
  return {
    handled: existing('due_worker_handled_total', () => {
      return new Counter({
        name: 'due_worker_handled_total',
        help: 'Due rows handled.',
        labelNames: ['worker', 'outcome'],
        registers: [registry],
      });
    }),
    duration: existing('due_worker_duration_seconds', () => {
      return new Histogram({
        name: 'due_worker_duration_seconds',
        help: 'Duration of handling a due row.',
        labelNames: ['worker'],
        buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 30],
        registers: [registry],
      });
    }),
    inFlight: existing('due_worker_in_flight', () => {
      return new Gauge({
        name: 'due_worker_in_flight',
        help: 'Due rows in progress.',
        labelNames: ['worker'],
        registers: [registry],
      });
    }),
  };
}
