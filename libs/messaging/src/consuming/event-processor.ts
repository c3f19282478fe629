import type { EventEnvelope } from '@bascule/contracts';
import { faultPoint, type Logger, RepeatedWarning } from '@bascule/process';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import {
  type Expectation,
  parseEnvelope,
  UnacceptableRecordError,
} from '../envelope/parse-envelope.js';
import type { DeadLetterWriter } from '../parked/dead-letter-writer.js';
import type { KeyedRecord, ParkedEventsRepository } from '../parked/parked-events.repository.js';
import { nextDelayMs } from '../parked/retry-schedule.js';
import type { IncomingRecord, RecordBatch } from '../transport/transport.js';
import type { ConsumerMetrics } from './consumer-metrics.js';
import { isCrowding, isInfrastructureError } from '../errors/infrastructure-error.js';
import { ParkedKeyLookup } from './parked-key-lookup.js';
import type { PauseGate } from '../records/pause-gate.js';
import { errorReason } from '../errors/error-reason.js';
import { SuspectedKeys } from './suspected-keys.js';

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
  crowdedMs?: number;
  metrics: ConsumerMetrics;
  logger: Logger;
}

/** Attempts to handle or park a record before it becomes a dead letter. */
const TRIES = 4;
const FIRST_WAIT_MS = 100;
const MOST_DOUBLINGS = 6;
const CROWDED_MS = 5 * 60 * 1_000;

/** Replaces U+0000, which Postgres text cannot hold: a record with it could not even be parked. */
const clean = (text: string): string => text.replaceAll('\u0000', '\ufffd');

/** Key of the queue of parked events; records without a key share one queue. */
const storableKey = (key: string | null): string => clean(key ?? '');

function storable(record: IncomingRecord, value: Buffer): KeyedRecord {
  const headers = Object.entries(record.headers).map(([name, value]) => [
    clean(name),
    clean(value),
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
  /** Keys with possibly parked events, queried once per batch; only the database is certain. */
  private readonly suspected = new SuspectedKeys();

  private readonly lookup: ParkedKeyLookup;
  private readonly trouble: RepeatedWarning;
  private readonly crowdedMs: number;

  constructor(private readonly options: EventProcessorOptions) {
    this.lookup = new ParkedKeyLookup(options.parked);
    this.crowdedMs = options.crowdedMs ?? CROWDED_MS;
    this.trouble = new RepeatedWarning(options.logger, 'consuming pauses');
  }

  async prepare({ topic, records }: RecordBatch): Promise<void> {
    const keys = [...new Set(records.map(({ key }) => storableKey(key)))];
    const suspect = (among: readonly string[]): void => {
      for (const key of among) this.suspected.add({ topic, key });
    };
    await this.persistently(
      async () => {
        const { parked } = this.options;
        suspect(await this.lookup.among(topic, keys));
        await this.suspected.forget(topic, (many) => parked.parkedKeys(topic, many));
      },
      () => {
        suspect(keys);
        return Promise.resolve();
      },
    );
  }

  /** Resolves when the record is finished; rejects only when consuming stops first. */
  async process(record: IncomingRecord): Promise<void> {
    // A tombstone removes a key from its topic; what the key stood for was told by the event before it.
    if (record.value === null) return;
    const keyed = storable(record, record.value);
    const since = performance.now();
    await this.persistently(
      () => this.handleOrSetAside(keyed, since),
      (error) => this.giveUp(keyed, 1, errorReason(error)),
    );
    faultPoint('messaging.handled');
  }

  private async handleOrSetAside(record: KeyedRecord, since: number): Promise<void> {
    const { topic } = record;
    const { metrics, logger } = this.options;
    const event = await this.accept(record);
    if (event === null) return;
    if (await this.isQueuedBehindParked(record)) {
      metrics.handled.inc({ topic, outcome: 'queued' });
      return;
    }
    const stopTimer = metrics.duration.startTimer({ topic });
    try {
      await this.options.dispatch(event, record);
      metrics.handled.inc({ topic, outcome: 'done' });
    } catch (error) {
      const isPatient = !isCrowding(error) || performance.now() - since < this.crowdedMs;
      if (isInfrastructureError(error) && isPatient) throw error;
      logger.error(
        { err: error, topic, event: event.id, key: record.key },
        'handling an event failed',
      );
      if (error instanceof UnacceptableRecordError) await this.giveUp(record, 1, error.message);
      else await this.setAside(record, errorReason(error));
    } finally {
      stopTimer();
    }
  }

  /** Parses the envelope; null after the record became a dead letter. */
  private async accept(record: KeyedRecord): Promise<EventEnvelope | null> {
    const { expectationOf, logger } = this.options;
    try {
      return parseEnvelope(record, expectationOf(record.topic));
    } catch (error) {
      if (!(error instanceof UnacceptableRecordError)) throw error;
      logger.error(
        { topic: record.topic, key: record.key, reason: error.message },
        'dead-lettered',
      );
      await this.giveUp(record, 0, error.message);
      return null;
    }
  }

  private async isQueuedBehindParked(record: KeyedRecord): Promise<boolean> {
    if (!this.suspected.has(record)) return false;
    if (await this.options.parked.queueBehind(record)) return true;
    this.suspected.delete(record);
    return false;
  }

  private async setAside(record: KeyedRecord, reason: string): Promise<void> {
    const { parked, retryDelaysMs, metrics } = this.options;
    const delayMs = nextDelayMs(1, retryDelaysMs);
    if (delayMs === null) {
      await this.giveUp(record, 1, reason);
      return;
    }
    await parked.park(record, { attempts: 1, reason, delayMs });
    this.suspected.add(record);
    metrics.handled.inc({ topic: record.topic, outcome: 'parked' });
  }

  private async giveUp(record: KeyedRecord, attempts: number, reason: string): Promise<void> {
    const { dataSource, deadLetters, metrics } = this.options;
    const row = { ...record, offset: record.offset.toString(), attempts };
    await dataSource.transaction((manager) => deadLetters.write(manager, row, reason));
    metrics.handled.inc({ topic: record.topic, outcome: 'dead_lettered' });
  }

  /**
   * Infrastructure that is away pauses everything, for as long as it takes, and then the same work is done. What fails
   * for any other reason holds up nobody else, and is done without after some tries.
   */
  private async persistently(
    work: () => Promise<void>,
    without: (error: unknown) => Promise<void>,
  ): Promise<void> {
    const { gate, logger } = this.options;
    let next = work;
    for (let failures = 0; ;) {
      await gate.pass();
      try {
        await next();
        gate.succeeded();
        this.trouble.clear();
        return;
      } catch (err) {
        if (isInfrastructureError(err)) {
          this.trouble.report(errorReason(err), { err });
          gate.pause();
          continue;
        }
        failures += 1;
        logger.error({ err, failures }, 'an event could be neither handled nor set aside');
        if (failures >= TRIES) next = () => without(err);
        await delay(FIRST_WAIT_MS * 2 ** Math.min(failures, MOST_DOUBLINGS));
      }
    }
  }
}
