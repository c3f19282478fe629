import { DueWorker, identifier } from '@bascule/persistence';
import type { ServiceContext } from '@bascule/process';
import type { DataSource } from 'typeorm';
import type { Dispatch } from './event-processor.js';
import type { ConsumerMetrics } from './consumer-metrics.js';
import { isInfrastructureError } from '../errors/infrastructure-error.js';
import { errorReason } from '../errors/error-reason.js';
import {
  type Expectation,
  parseEnvelope,
  UnacceptableRecordError,
} from '../envelope/parse-envelope.js';
import type { DeadLetterWriter } from '../parked/dead-letter-writer.js';
import type { ClaimedRow, ParkedEventsRepository } from '../parked/parked-events.repository.js';
import { nextDelayMs } from '../parked/retry-schedule.js';

export interface ParkedEventsWorkerOptions {
  dispatch: Dispatch;
  expectationOf: (topic: string) => Expectation;
  parked: ParkedEventsRepository;
  deadLetters: DeadLetterWriter;
  retryDelaysMs: readonly number[];
  metrics: ConsumerMetrics;
  context: ServiceContext;
  dataSource: DataSource;
  pollMs: number;
  /** Lease of a claimed row: a crashed process delays its rows by this time. */
  leaseMs?: number;
}

const LEASE_MS = 60_000;
const CONCURRENCY = 4;
const INFRASTRUCTURE_PAUSE_MS = 2_000;

/** Retries parked events, the first of each key's queue, until they are handled or dead-lettered. */
export class ParkedEventsWorker {
  private readonly worker: DueWorker<ClaimedRow>;
  private readonly leaseMs: number;

  constructor(private readonly options: ParkedEventsWorkerOptions) {
    this.leaseMs = options.leaseMs ?? LEASE_MS;
    this.worker = new DueWorker<ClaimedRow>({
      name: 'parked-events',
      dataSource: options.dataSource,
      context: options.context,
      table: 'parked_events',
      select: ['id', 'topic', 'partition', 'offset', 'key', 'headers', 'value', 'attempts']
        .map((column) => `parked_events.${identifier(column)}`)
        .concat('parked_events.due_at::text AS "claimedUntil"')
        .join(', '),
      where: 'due_at IS NOT NULL',
      batchSize: CONCURRENCY,
      concurrency: CONCURRENCY,
      leaseMs: this.leaseMs,
      pollMs: options.pollMs,
      traceparentOf: (row) => row.headers.traceparent ?? null,
      handle: (row) => this.retry(row),
    });
  }

  start(): void {
    this.worker.start();
  }

  private async retry(row: ClaimedRow): Promise<void> {
    const { parked, metrics } = this.options;
    const release = this.hold(row);
    try {
      const event = parseEnvelope(row, this.options.expectationOf(row.topic));
      await this.options.dispatch(event, { ...row, offset: BigInt(row.offset) });
    } catch (error) {
      await release();
      await this.failed(row, error);
      return;
    }
    await release();
    await parked.remove(row);
    this.worker.wake();
    metrics.handled.inc({ topic: row.topic, outcome: 'done' });
  }

  /** Renews the lease of the row while its handler runs. */
  private hold(row: ClaimedRow): () => Promise<void> {
    const { parked, context } = this.options;
    let renewing = Promise.resolve();
    const renew = async (): Promise<void> => {
      try {
        await parked.renew(row, this.leaseMs);
      } catch (err) {
        context.logger.warn({ err, topic: row.topic }, 'lease of a parked event not renewed');
      }
    };
    const timer = setInterval(() => {
      renewing = renewing.then(renew);
    }, this.leaseMs / 3);
    return () => {
      clearInterval(timer);
      return renewing;
    };
  }

  private async failed(row: ClaimedRow, error: unknown): Promise<void> {
    const { parked, context, retryDelaysMs } = this.options;
    if (isInfrastructureError(error)) {
      // Not counted as an attempt. If this write fails too, the lease of the row expires.
      await parked.defer(row, INFRASTRUCTURE_PAUSE_MS);
      return;
    }
    const { topic, key } = row;
    const attempts = row.attempts + 1;
    context.logger.error({ err: error, topic, key, attempts }, 'parked event failed again');
    if (error instanceof UnacceptableRecordError) {
      await this.giveUp({ ...row, attempts }, error.message);
      return;
    }
    const delayMs = nextDelayMs(attempts, retryDelaysMs);
    if (delayMs === null) await this.giveUp({ ...row, attempts }, errorReason(error));
    else await parked.postpone(row, delayMs, errorReason(error));
  }

  private async giveUp(row: ClaimedRow, reason: string): Promise<void> {
    const { parked, deadLetters, metrics } = this.options;
    await parked.giveUp(row, (manager) => deadLetters.write(manager, row, reason));
    this.worker.wake();
    metrics.handled.inc({ topic: row.topic, outcome: 'dead_lettered' });
  }
}
