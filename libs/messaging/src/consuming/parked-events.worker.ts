import { DueWorker } from '@bascule/persistence';
import { runInTrace, type ServiceContext } from '@bascule/process';
import type { DataSource } from 'typeorm';
import type { Dispatch } from './event-processor.js';
import type { ConsumerMetrics } from './consumer-metrics.js';
import { isDatabaseContention, isInfrastructureError } from '../errors/infrastructure-error.js';
import { errorReason } from '../errors/error-reason.js';
import {
  type Expectation,
  isKnownType,
  parseEnvelope,
  UnacceptableRecordError,
  UnknownSchemaError,
} from '../envelope/parse-envelope.js';
import type { DeadLetterWriter } from '../parked/dead-letter-writer.js';
import {
  CLAIMED_COLUMNS,
  type ClaimedRow,
  type ParkedEventsRepository,
} from '../parked/parked-events.repository.js';
import { type FailingKey, MAY_RETRY } from '../parked/topic-pauses.repository.js';
import { nextDelayMs } from '../parked/retry-schedule.js';
import type { TopicBreaker } from './topic-breaker.js';

export interface ParkedEventsWorkerOptions {
  dispatch: Dispatch;
  expectationOf: (topic: string) => Expectation;
  parked: ParkedEventsRepository;
  deadLetters: DeadLetterWriter;
  retryDelaysMs: readonly number[];
  metrics: ConsumerMetrics;
  breaker: Pick<TopicBreaker, 'isPaused' | 'succeeded' | 'failed'>;
  context: ServiceContext;
  dataSource: DataSource;
  pollMs: number;
  /** Lease of a claimed row: a crashed process delays its rows by this time. */
  leaseMs?: number;
}

const LEASE_MS = 60_000;
const CONCURRENCY = 4;
const INFRASTRUCTURE_PAUSE_MS = 2_000;
/** Wait of an event that failed in a paused topic, until it may be a probe again. */
const PAUSE_MS = 1_000;

const failingKey = ({ topic, key, failureGroup }: ClaimedRow): FailingKey => ({
  topic,
  key,
  group: failureGroup ?? '',
});

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
      select: CLAIMED_COLUMNS,
      where: `due_at IS NOT NULL AND ${MAY_RETRY}`,
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

  /** Handles the oldest events of a paused topic, one of each group. */
  async probe(topic: string, limit: number): Promise<void> {
    const { parked, context } = this.options;
    const rows = await parked.claimProbes(topic, limit, this.leaseMs);
    await Promise.all(
      rows.map((row) => runInTrace(row.headers.traceparent, () => this.retry(row), context.name)),
    );
  }

  private async retry(row: ClaimedRow): Promise<void> {
    const { parked, metrics, breaker, expectationOf } = this.options;
    const { topic } = row;
    const release = this.hold(row);
    let outcome = 'done';
    try {
      const event = parseEnvelope(row, expectationOf(topic));
      await this.options.dispatch(event, { ...row, offset: BigInt(row.offset) });
      if (!isKnownType(event, expectationOf(topic))) outcome = 'unknown_type';
    } catch (error) {
      await release();
      await this.failed(row, error);
      return;
    }
    await release();
    await parked.remove(row);
    this.worker.wake();
    metrics.handled.inc({ topic, outcome });
    await breaker.succeeded(failingKey(row), breaker.isPaused(topic) ? 'probe' : 'open');
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
    if (isInfrastructureError(error) && !isDatabaseContention(error)) {
      // Not counted as an attempt. If this write fails too, the lease of the row expires.
      await parked.defer(row, INFRASTRUCTURE_PAUSE_MS);
      return;
    }
    const { topic, key } = row;
    const attempts = row.attempts + 1;
    context.logger.error({ err: error, topic, key, attempts }, 'parked event failed again');
    const isPoison =
      error instanceof UnacceptableRecordError && !(error instanceof UnknownSchemaError);
    if (!isPoison && (await this.options.breaker.failed(failingKey(row), errorReason(error)))) {
      await parked.defer(row, PAUSE_MS, errorReason(error));
      return;
    }
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
