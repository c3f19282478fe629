import type { Logger } from '@bascule/process';
import type { HeldLease, Lease } from '@bascule/persistence';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { isInfrastructureError } from '../errors/infrastructure-error.js';
import { PauseGate } from '../records/pause-gate.js';
import { RecordConsumer } from '../records/record-consumer.js';
import { UnacceptableRecordError, UnknownEventTypeError } from '../envelope/parse-envelope.js';
import type { IncomingRecord, Transport } from '../transport/transport.js';
import type { ProjectionSource } from './projection-sources.js';
import type { ProjectionStatesRepository } from './projection-states.repository.js';

export interface ProjectionRebuildOptions {
  dataSource: DataSource;
  states: ProjectionStatesRepository;
  transport: Pick<Transport, 'read'>;
  /** Handler of the topic, as the live consumer calls it. */
  apply: (record: IncomingRecord) => Promise<void>;
  lease: Lease;
  logger: Logger;
  concurrency: number;
  windowSize: number;
}

const PROGRESS_MS = 500;
/** Backoff between attempts of one event; a rebuild parks nothing. */
const RETRY_DELAYS_MS = [100, 500, 1_000];

/**
 * Reads a topic from its start to its current end, outside the group and beside the live consumer, and removes rows
 * that no event touched. A first pass keeps rows that are newer than the current event, so readers never see an older
 * state. Rows that stay unconfirmed are stale, or carry a version that the topic never had: for those alone, a second
 * pass accepts any event.
 */
export class ProjectionRebuild {
  private readonly gate = new PauseGate();
  private records = 0;
  private failed = 0;

  constructor(private readonly options: ProjectionRebuildOptions) {}

  /** @throws when it cannot finish, the lease is lost, or the signal aborts; then it has to start again */
  async run(source: ProjectionSource, { epoch }: HeldLease, signal: AbortSignal): Promise<void> {
    const { states, dataSource, lease, logger } = this.options;
    /** Fences every write with the lease. */
    const guarded = <T>(step: (manager: EntityManager) => Promise<T>): Promise<T> =>
      dataSource.transaction(async (manager) => {
        await lease.assertHeld(manager, epoch);
        return step(manager);
      });
    const pass = async (): Promise<void> => {
      await this.pass(source.topic, signal);
      const { records, failed } = this;
      await guarded((manager) => states.count(source.topic, { records, failed }, manager));
    };
    await guarded((manager) => states.begin(manager, source));
    await pass();
    if (await states.hasUnseen(source)) {
      await guarded((manager) => states.distrustUnseen(manager, source.topic));
      await pass();
    }
    const { records, failed } = this;
    if (failed > 0) {
      // A failed event could have confirmed a row, so no row is removed.
      const isBuilt = await guarded((manager) => states.finishIncomplete(manager, source));
      if (!isBuilt) throw new Error(`${failed} events of ${source.topic} could not be applied`);
      logger.error({ ...source, records, failed }, 'projections rebuilt with failed events');
      return;
    }
    const removed = await guarded((manager) => states.finish(manager, source));
    logger.info({ ...source, records, failed, removed }, 'projections built');
  }

  private async pass(topic: string, signal: AbortSignal): Promise<void> {
    const { transport, concurrency, windowSize } = this.options;
    const consumer = new RecordConsumer({
      prepare: () => Promise.resolve(),
      process: (record) => this.apply(record),
      concurrency,
      windowSize,
    });
    const stop = (): void => {
      this.gate.stop();
      consumer.stop();
    };
    signal.addEventListener('abort', stop);
    const reporting = setInterval(() => void this.report(topic), PROGRESS_MS);
    try {
      await transport.read({ topics: [topic], receiver: consumer, signal });
      await consumer.finished();
      signal.throwIfAborted();
    } finally {
      clearInterval(reporting);
      signal.removeEventListener('abort', stop);
      consumer.stop();
      await consumer.drain();
    }
  }

  private async report(topic: string): Promise<void> {
    const { records, failed } = this;
    await this.options.states.count(topic, { records, failed }).catch(() => undefined);
  }

  /** Applies a record and counts failures; rejects only on stop. */
  private async apply(record: IncomingRecord): Promise<void> {
    for (let failures = 0; ;) {
      await this.gate.pass();
      try {
        // A tombstone only removes a key from its topic; the event before it carried the last state.
        if (record.value !== null) await this.options.apply(record);
        this.records += 1;
        this.gate.succeeded();
        return;
      } catch (error) {
        if (isInfrastructureError(error)) {
          this.gate.pause();
          continue;
        }
        const waitMs = RETRY_DELAYS_MS[failures];
        const isFinal =
          error instanceof UnacceptableRecordError || error instanceof UnknownEventTypeError;
        if (!isFinal && waitMs !== undefined) {
          failures += 1;
          await delay(waitMs);
          continue;
        }
        this.records += 1;
        if (error instanceof UnacceptableRecordError) return;
        this.failed += 1;
        const { topic, partition, key } = record;
        this.options.logger.error(
          { err: error, topic, partition, offset: record.offset.toString(), key },
          'rebuild could not apply an event',
        );
        return;
      }
    }
  }
}
