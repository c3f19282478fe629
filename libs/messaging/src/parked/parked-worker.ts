import { DueWorker, identifier } from '@bascule/persistence';
import type { ServiceContext } from '@bascule/process';
import type { DataSource } from 'typeorm';
import type { Dispatch } from '../consuming/event-processor.js';
import type { ConsumerMetrics } from '../consuming/consumer-metrics.js';
import { isInfrastructureError } from '../consuming/infrastructure-error.js';
import { reasonOf } from '../consuming/reason-of.js';
import { type Expectation, parseEnvelope } from '../envelope/parse-envelope.js';
import type { ParkedEvents, ParkedRow } from './parked-events.repository.js';
import { nextDelayMs } from './retry-schedule.js';

export interface ParkedWorkerOptions {
  dispatch: Dispatch;
  expectationOf: (topic: string) => Expectation;
  parked: ParkedEvents;
  retryDelaysMs: readonly number[];
  metrics: ConsumerMetrics;
  context: ServiceContext;
  dataSource: DataSource;
  pollMs: number;
}

const LEASE_MS = 60_000;
const CONCURRENCY = 4;

/** Tries parked events again, the first of each key's queue, until they are handled or given up. */
export class ParkedWorker {
  private readonly worker: DueWorker<ParkedRow>;

  constructor(private readonly options: ParkedWorkerOptions) {
    this.worker = new DueWorker<ParkedRow>({
      name: 'parked-events',
      dataSource: options.dataSource,
      context: options.context,
      table: 'parked_events',
      select: ['id', 'topic', 'partition', 'offset', 'key', 'headers', 'value', 'attempts']
        .map((column) => `parked_events.${identifier(column)}`)
        .join(', '),
      where: 'due_at IS NOT NULL',
      batchSize: CONCURRENCY,
      concurrency: CONCURRENCY,
      leaseMs: LEASE_MS,
      pollMs: options.pollMs,
      traceparentOf: (row) => row.headers.traceparent ?? null,
      handle: (row) => this.retry(row),
    });
  }

  start(): void {
    this.worker.start();
  }

  private async retry(row: ParkedRow): Promise<void> {
    const { parked, metrics } = this.options;
    try {
      const event = parseEnvelope(row.value, this.options.expectationOf(row.topic));
      await this.options.dispatch(event, { ...row, offset: BigInt(row.offset) });
    } catch (error) {
      await this.failed(row, error);
      return;
    }
    await parked.remove(row);
    this.worker.wake();
    metrics.handled.inc({ topic: row.topic, outcome: 'done' });
  }

  private async failed(row: ParkedRow, error: unknown): Promise<void> {
    const { parked, metrics, context } = this.options;
    // Not an attempt: the row's lease runs out, and it is tried again.
    if (isInfrastructureError(error)) throw error;
    const { topic, key } = row;
    const delayMs = nextDelayMs(row.attempts + 1, this.options.retryDelaysMs);
    context.logger.error(
      { err: error, topic, key, attempts: row.attempts + 1 },
      'a parked event failed again',
    );
    if (delayMs !== null) {
      await parked.postpone(row, delayMs, reasonOf(error));
      return;
    }
    await parked.deadLetter(row, reasonOf(error));
    this.worker.wake();
    metrics.handled.inc({ topic, outcome: 'dead_lettered' });
  }
}
