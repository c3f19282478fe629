import type { EventEnvelope } from '@bascule/contracts';
import { faultPoint, type Logger, RepeatedTrouble } from '@bascule/process';
import type { DataSource } from 'typeorm';
import {
  type Expectation,
  parseEnvelope,
  UnacceptableRecordError,
} from '../envelope/parse-envelope.js';
import type { DeadLetterWriter } from '../parked/dead-letter-writer.js';
import type { KeyedRecord, ParkedEvents } from '../parked/parked-events.repository.js';
import { nextDelayMs } from '../parked/retry-schedule.js';
import type { IncomingRecord, RecordBatch } from '../transport/transport.js';
import type { ConsumerMetrics } from './consumer-metrics.js';
import { isInfrastructureError } from './infrastructure-error.js';
import type { PauseGate } from './pause-gate.js';
import { reasonOf } from './reason-of.js';

export type Dispatch = (event: EventEnvelope, record: IncomingRecord) => Promise<void>;

export interface EventProcessorOptions {
  dispatch: Dispatch;
  expectationOf: (topic: string) => Expectation;
  parked: ParkedEvents;
  deadLetters: DeadLetterWriter;
  dataSource: DataSource;
  gate: PauseGate;
  retryDelaysMs: readonly number[];
  metrics: ConsumerMetrics;
  logger: Logger;
}

const queueName = (record: { topic: string; key: string }): string =>
  `${record.topic}/${record.key}`;

/** Postgres cannot hold U+0000 in text; a record that has it must not be the one that nothing can be done with. */
function storable(record: KeyedRecord): KeyedRecord {
  const clean = (text: string): string => text.replaceAll('\u0000', '\ufffd');
  const headers = Object.entries(record.headers).map(([name, value]) => [
    clean(name),
    clean(value),
  ]);
  return {
    ...record,
    key: clean(record.key),
    headers: Object.fromEntries(headers) as Record<string, string>,
  };
}

/** What happens to one record: handled, queued behind a parked one, parked, or dead-lettered. */
export class EventProcessor {
  /** Keys that have, or lately had, parked events: asked for once per batch, certain only in the database. */
  private readonly suspected = new Set<string>();

  private readonly trouble: RepeatedTrouble;

  constructor(private readonly options: EventProcessorOptions) {
    this.trouble = new RepeatedTrouble(options.logger, 'consuming pauses');
  }

  async prepare(batch: RecordBatch): Promise<void> {
    const keys = new Set(batch.records.map((record) => record.key).filter((key) => key !== null));
    await this.persistently(async () => {
      for (const key of await this.options.parked.parkedKeys(batch.topic, [...keys])) {
        this.suspected.add(queueName({ topic: batch.topic, key }));
      }
    });
  }

  /** Resolves when the record needs nothing more; rejects only when consuming stops before. */
  async process(record: IncomingRecord): Promise<void> {
    const { key, value } = record;
    // A tombstone removes a key from its topic; what the key stood for was told by the event before it.
    if (value === null) return;
    await this.persistently(() =>
      this.handleOrSetAside(storable({ ...record, key: key ?? '', value })),
    );
    faultPoint('messaging.handled');
  }

  private async handleOrSetAside(record: KeyedRecord): Promise<void> {
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
      if (isInfrastructureError(error)) throw error;
      logger.error(
        { err: error, topic, event: event.id, key: record.key },
        'handling an event failed',
      );
      await this.setAside(record, reasonOf(error));
    } finally {
      stopTimer();
    }
  }

  /** Null when no attempt can make it acceptable. */
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
    const name = queueName(record);
    if (!this.suspected.has(name)) return false;
    if (await this.options.parked.queueBehind(record)) return true;
    this.suspected.delete(name);
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
    this.suspected.add(queueName(record));
    metrics.handled.inc({ topic: record.topic, outcome: 'parked' });
  }

  private async giveUp(record: KeyedRecord, attempts: number, reason: string): Promise<void> {
    const { dataSource, deadLetters, metrics } = this.options;
    const row = { ...record, offset: record.offset.toString(), attempts };
    await dataSource.transaction((manager) => deadLetters.write(manager, row, reason));
    metrics.handled.inc({ topic: record.topic, outcome: 'dead_lettered' });
  }

  /** Infrastructure that is away pauses everything, for as long as it takes, and then the same work is done. */
  private async persistently(work: () => Promise<void>): Promise<void> {
    const { gate } = this.options;
    for (;;) {
      await gate.pass();
      try {
        await work();
        gate.succeeded();
        this.trouble.over();
        return;
      } catch (error) {
        this.trouble.report(reasonOf(error), { err: error });
        gate.pause();
      }
    }
  }
}
