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
  UnknownSchemaError,
} from '../envelope/parse-envelope.js';
import { failureGroup } from '../envelope/failure-group.js';
import type { DeadLetterWriter } from '../parked/dead-letter-writer.js';
import type { KeyedRecord, ParkedEventsRepository } from '../parked/parked-events.repository.js';
import type { FailingKey } from '../parked/topic-pauses.repository.js';
import { nextDelayMs } from '../parked/retry-schedule.js';
import type { IncomingRecord, RecordBatch } from '../transport/transport.js';
import type { ConsumerMetrics } from './consumer-metrics.js';
import { isDatabaseContention, isInfrastructureError } from '../errors/infrastructure-error.js';
import { ParkedKeyLookup } from './parked-key-lookup.js';
import type { PauseGate } from '../records/pause-gate.js';
import { errorReason } from '../errors/error-reason.js';
import { ParkedKeyCache } from './parked-key-cache.js';
import type { Admission, TopicBreaker } from './topic-breaker.js';

export type Dispatch = (event: EventEnvelope, record: IncomingRecord) => Promise<void>;

export interface EventProcessorOptions {
  dispatch: Dispatch;
  expectationOf: (topic: string) => Expectation;
  parked: ParkedEventsRepository;
  deadLetters: DeadLetterWriter;
  dataSource: DataSource;
  gate: PauseGate;
  breaker: Pick<TopicBreaker, 'pass' | 'succeeded' | 'failed'>;
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

const backoffMs = (failures: number): number =>
  INITIAL_BACKOFF_MS * 2 ** Math.min(failures, MAX_DOUBLINGS);

const NEVER = new AbortController().signal;

interface Attempt {
  admission: Admission;
  /** Start, by the process's own clock. */
  since: number;
}

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

const failingKey = ({ topic, key }: KeyedRecord, event: EventEnvelope): FailingKey => ({
  topic,
  key,
  group: replaceNul(failureGroup(event)),
});

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

  /** Resolves when the record is finished; rejects only when consuming stops or its partition is released first. */
  async process(record: IncomingRecord, released: AbortSignal = NEVER): Promise<void> {
    // A tombstone only removes a key from its topic; the event before it carried the last state.
    if (record.value === null) return;
    const keyed = storable(record, record.value);
    for (let isFinished = false; !isFinished;) {
      const admission = await this.options.breaker.pass(keyed.topic, released);
      const since = performance.now();
      await this.withRetries(
        async () => {
          isFinished = await this.handleOrPark(keyed, { admission, since });
        },
        async (error) => {
          await this.deadLetter(keyed, 1, errorReason(error));
          isFinished = true;
        },
      );
    }
    faultPoint('messaging.handled');
  }

  /** Resolves to false while the topic is paused: the event failed and stays unfinished, without an attempt. */
  private async handleOrPark(record: KeyedRecord, attempt: Attempt): Promise<boolean> {
    const { topic } = record;
    const { metrics, logger } = this.options;
    const event = this.parse(record);
    if (event instanceof UnacceptableRecordError) return this.refuse(record, event);
    const failing = failingKey(
      record,
      event instanceof UnknownEventTypeError ? event.event : event,
    );
    if (await this.isQueuedBehindParked(record, failing.group)) {
      metrics.handled.inc({ topic, outcome: 'queued' });
      return true;
    }
    if (event instanceof UnknownEventTypeError) {
      logger.error({ topic, key: record.key, reason: event.message }, 'event type unknown');
      return this.parkUnlessPaused(record, failing, errorReason(event));
    }
    return this.handle(record, event, attempt);
  }

  private async handle(
    record: KeyedRecord,
    event: EventEnvelope,
    { admission, since }: Attempt,
  ): Promise<boolean> {
    const { topic, key } = record;
    const { metrics, logger, breaker } = this.options;
    const failing = failingKey(record, event);
    const stopTimer = metrics.duration.startTimer({ topic });
    try {
      await this.options.dispatch(event, record);
    } catch (error) {
      const mayRetry =
        !isDatabaseContention(error) || performance.now() - since < this.contentionLimitMs;
      if (isInfrastructureError(error) && mayRetry) throw error;
      logger.error({ err: error, topic, event: event.id, key }, 'event handler failed');
      if (!(error instanceof UnacceptableRecordError)) {
        return await this.parkUnlessPaused(record, failing, errorReason(error));
      }
      await this.deadLetter(record, 1, error.message);
      return true;
    } finally {
      stopTimer();
    }
    await breaker.succeeded(failing, admission);
    const isKnown = isKnownType(event, this.options.expectationOf(topic));
    metrics.handled.inc({ topic, outcome: isKnown ? 'done' : 'unknown_type' });
    return true;
  }

  /** Parses the envelope; returns the error for a record without an event to handle. */
  private parse(
    record: KeyedRecord,
  ): EventEnvelope | UnknownEventTypeError | UnacceptableRecordError {
    try {
      return parseEnvelope(record, this.options.expectationOf(record.topic));
    } catch (error) {
      if (error instanceof UnknownEventTypeError || error instanceof UnacceptableRecordError) {
        return error;
      }
      throw error;
    }
  }

  /** Dead-letters a poison message. Unknown schemas are held in a paused topic: a deployment may know them. */
  private async refuse(record: KeyedRecord, error: UnacceptableRecordError): Promise<boolean> {
    const { topic, key } = record;
    const { breaker, logger } = this.options;
    const isPaused =
      error instanceof UnknownSchemaError &&
      (await breaker.failed(failingKey(record, error.event), error.message, 'refused'));
    if (isPaused) return false;
    logger.error({ topic, key, reason: error.message }, 'event dead-lettered');
    await this.deadLetter(record, 0, error.message);
    return true;
  }

  private async parkUnlessPaused(
    record: KeyedRecord,
    failing: FailingKey,
    reason: string,
  ): Promise<boolean> {
    if (await this.options.breaker.failed(failing, reason)) return false;
    await this.park(record, failing.group, reason);
    return true;
  }

  private async isQueuedBehindParked(record: KeyedRecord, group: string): Promise<boolean> {
    if (!this.parkedKeys.has(record)) return false;
    if (await this.options.parked.queueBehind(record, group)) return true;
    this.parkedKeys.delete(record);
    return false;
  }

  private async park(record: KeyedRecord, group: string, reason: string): Promise<void> {
    const { parked, retryDelaysMs, metrics } = this.options;
    const delayMs = nextDelayMs(1, retryDelaysMs);
    if (delayMs === null) {
      await this.deadLetter(record, 1, reason);
      return;
    }
    await parked.park(record, { attempts: 1, reason, delayMs, group });
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
   * Retries while infrastructure is unavailable, with all handlers paused; after a deadlock or timeout only this one
   * waits. After some attempts any other error calls `fallback`, so that one record cannot block the others.
   */
  private async withRetries(
    work: () => Promise<void>,
    fallback: (error: unknown) => Promise<void>,
  ): Promise<void> {
    const { gate, logger } = this.options;
    let next = work;
    for (let failures = 0, contentions = 0; ;) {
      await gate.pass();
      try {
        await next();
        gate.succeeded();
        this.warning.clear();
        return;
      } catch (err) {
        if (isInfrastructureError(err)) {
          this.warning.report(errorReason(err), { err });
          contentions += 1;
          // Its own handler may cause it, so the others go on.
          if (isDatabaseContention(err)) await delay(backoffMs(contentions));
          else gate.pause();
          continue;
        }
        failures += 1;
        logger.error({ err, failures }, 'event neither handled nor parked');
        if (failures >= MAX_ATTEMPTS) next = () => fallback(err);
        await delay(backoffMs(failures));
      }
    }
  }
}
