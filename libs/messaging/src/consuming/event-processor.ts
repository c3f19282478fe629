import type { EventEnvelope } from '@bascule/contracts';
import { faultPoint, type Logger, RepeatedWarning } from '@bascule/process';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import {
  type Expectation,
  isKnownType,
  parseEnvelope,
  UnacceptableRecordError,
  UnknownEventTypeError,
} from '../envelope/parse-envelope.js';
import type { DeadLetterWriter } from '../parked/dead-letter-writer.js';
import type { KeyedRecord, ParkedEventsRepository } from '../parked/parked-events.repository.js';
import { nextDelayMs } from '../parked/retry-schedule.js';
import type { IncomingRecord, RecordBatch } from '../transport/transport.js';
import type { ConsumerMetrics } from './consumer-metrics.js';
import { isDatabaseContention, isInfrastructureError } from '../errors/infrastructure-error.js';
import { ParkedKeyLookup } from './parked-key-lookup.js';
import type { PauseGate } from '../records/pause-gate.js';
import { errorReason } from '../errors/error-reason.js';
import { ParkedKeyCache } from './parked-key-cache.js';

export type Dispatch = (event: EventEnvelope, record: IncomingRecord) => Promise<void>;

export interface EventProcessorOptions {
  dispatch: Dispatch;
  expectationOf: (topic: string) => Expectation;
  parked: ParkedEventsRepository;
  deadLetters: DeadLetterWriter;
  dataSource: DataSource;
  gate: PauseGate;
  retryDelaysMs: readonly number[];
  /** Time after which deadlocks and timeouts count as a failure of the event's handler. */
  contentionLimitMs?: number;
  metrics: ConsumerMetrics;
  logger: Logger;
}

/** Attempts to handle or park a record before it becomes a dead letter. */
const MAX_ATTEMPTS = 4;
const INITIAL_BACKOFF_MS = 100;
const MAX_DOUBLINGS = 6;
const CONTENTION_LIMIT_MS = 5 * 60 * 1_000;

/** Replaces U+0000, which Postgres text cannot hold, so that the record can be parked. */
const replaceNul = (text: string): string => text.replaceAll('\u0000', '\ufffd');

/** Key of the queue of parked events; records without a key share one queue. */
const storableKey = (key: string | null): string => replaceNul(key ?? '');

function storable(record: IncomingRecord, value: Buffer): KeyedRecord {
  const headers = Object.entries(record.headers).map(([name, value]) => [
    replaceNul(name),
    replaceNul(value),
  ]);
  return {
    ...record,
    key: storableKey(record.key),
    value,
    headers: Object.fromEntries(headers) as Record<string, string>,
  };
}

/** Decides each record's outcome: handled, queued behind a parked one, parked, or dead-lettered. */
export class EventProcessor {
  /** Keys that may have parked events, queried once per batch; the database decides. */
  private readonly parkedKeys = new ParkedKeyCache();

  private readonly lookup: ParkedKeyLookup;
  private readonly warning: RepeatedWarning;
  private readonly contentionLimitMs: number;

  constructor(private readonly options: EventProcessorOptions) {
    this.lookup = new ParkedKeyLookup(options.parked);
    this.contentionLimitMs = options.contentionLimitMs ?? CONTENTION_LIMIT_MS;
    this.warning = new RepeatedWarning(options.logger, 'consuming paused');
  }

  async prepare({ topic, records }: RecordBatch): Promise<void> {
    const keys = [...new Set(records.map(({ key }) => storableKey(key)))];
    const remember = (among: readonly string[]): void => {
      for (const key of among) this.parkedKeys.add({ topic, key });
    };
    await this.withRetries(
      async () => {
        const { parked } = this.options;
        remember(await this.lookup.among(topic, keys));
        await this.parkedKeys.prune(topic, (many) => parked.parkedKeys(topic, many));
      },
      () => {
        remember(keys);
        return Promise.resolve();
      },
    );
  }

  /** Resolves when the record is finished; rejects only when consuming stops first. */
  async process(record: IncomingRecord): Promise<void> {
    // A tombstone only removes a key from its topic; the event before it carried the last state.
    if (record.value === null) return;
    const keyed = storable(record, record.value);
    const since = performance.now();
    await this.withRetries(
      () => this.handleOrPark(keyed, since),
      (error) => this.deadLetter(keyed, 1, errorReason(error)),
    );
    faultPoint('messaging.handled');
  }

  private async handleOrPark(record: KeyedRecord, since: number): Promise<void> {
    const { topic } = record;
    const { metrics, logger } = this.options;
    const event = await this.parse(record);
    if (event === null) return;
    if (await this.isQueuedBehindParked(record)) {
      metrics.handled.inc({ topic, outcome: 'queued' });
      return;
    }
    if (event instanceof UnknownEventTypeError) {
      logger.error({ topic, key: record.key, reason: event.message }, 'event parked');
      await this.park(record, errorReason(event));
      return;
    }
    const stopTimer = metrics.duration.startTimer({ topic });
    try {
      await this.options.dispatch(event, record);
      const isKnown = isKnownType(event, this.options.expectationOf(topic));
      metrics.handled.inc({ topic, outcome: isKnown ? 'done' : 'unknown_type' });
    } catch (error) {
      const mayRetry =
        !isDatabaseContention(error) || performance.now() - since < this.contentionLimitMs;
      if (isInfrastructureError(error) && mayRetry) throw error;
      logger.error({ err: error, topic, event: event.id, key: record.key }, 'event handler failed');
      if (error instanceof UnacceptableRecordError) await this.deadLetter(record, 1, error.message);
      else await this.park(record, errorReason(error));
    } finally {
      stopTimer();
    }
  }

  /** Parses the envelope; null after the record became a dead letter, an error for one that is parked. */
  private async parse(record: KeyedRecord): Promise<EventEnvelope | UnknownEventTypeError | null> {
    const { expectationOf, logger } = this.options;
    try {
      return parseEnvelope(record, expectationOf(record.topic));
    } catch (error) {
      if (error instanceof UnknownEventTypeError) return error;
      if (!(error instanceof UnacceptableRecordError)) throw error;
      logger.error(
        { topic: record.topic, key: record.key, reason: error.message },
        'event dead-lettered',
      );
      await this.deadLetter(record, 0, error.message);
      return null;
    }
  }

  private async isQueuedBehindParked(record: KeyedRecord): Promise<boolean> {
    if (!this.parkedKeys.has(record)) return false;
    if (await this.options.parked.queueBehind(record)) return true;
    this.parkedKeys.delete(record);
    return false;
  }

  private async park(record: KeyedRecord, reason: string): Promise<void> {
    const { parked, retryDelaysMs, metrics } = this.options;
    const delayMs = nextDelayMs(1, retryDelaysMs);
    if (delayMs === null) {
      await this.deadLetter(record, 1, reason);
      return;
    }
    await parked.park(record, { attempts: 1, reason, delayMs });
    this.parkedKeys.add(record);
    metrics.handled.inc({ topic: record.topic, outcome: 'parked' });
  }

  private async deadLetter(record: KeyedRecord, attempts: number, reason: string): Promise<void> {
    const { dataSource, deadLetters, metrics } = this.options;
    const row = { ...record, offset: record.offset.toString(), attempts };
    await dataSource.transaction((manager) => deadLetters.write(manager, row, reason));
    metrics.handled.inc({ topic: record.topic, outcome: 'dead_lettered' });
  }

  /**
   * Retries while infrastructure is unavailable, with all handlers paused. After some attempts any other error calls
   * `fallback`, so that one record cannot block the others.
   */
  private async withRetries(
    work: () => Promise<void>,
    fallback: (error: unknown) => Promise<void>,
  ): Promise<void> {
    const { gate, logger } = this.options;
    let next = work;
    for (let failures = 0; ;) {
      await gate.pass();
      try {
        await next();
        gate.succeeded();
        this.warning.clear();
        return;
      } catch (err) {
        if (isInfrastructureError(err)) {
          this.warning.report(errorReason(err), { err });
          gate.pause();
          continue;
        }
        failures += 1;
        logger.error({ err, failures }, 'event neither handled nor parked');
        if (failures >= MAX_ATTEMPTS) next = () => fallback(err);
        await delay(INITIAL_BACKOFF_MS * 2 ** Math.min(failures, MAX_DOUBLINGS));
      }
    }
  }
}
