import type { Logger } from '@bascule/process';
import type { HeldLease, Lease } from '@bascule/persistence';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { isInfrastructureError } from '../errors/infrastructure-error.js';
import { PauseGate } from '../records/pause-gate.js';
import { RecordConsumer } from '../records/record-consumer.js';
import { UnacceptableRecordError } from '../envelope/parse-envelope.js';
import type { IncomingRecord, Transport } from '../transport/transport.js';
import type { ProjectionSource } from './projection-sources.js';
import type { ProjectionStatesRepository, RowCounts } from './projection-states.repository.js';

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
/** Share of rows without an event from which the topic counts as incomplete; a single row is none. */
const MAX_UNSEEN_SHARE = 0.05;

const isIncomplete = ({ rows, unseen }: RowCounts): boolean =>
  unseen > Math.max(1, rows * MAX_UNSEEN_SHARE);

/**
 * Reads a topic from its start to its current end, outside the group and beside the live consumer, and removes rows
 * without any event. A first pass keeps rows that are newer than the current event, so readers never see an older
 * state. Rows that stay unconfirmed have no event, or a version that the topic does not have: a second pass confirms the
 * latter, or replaces them where the operator accepts older versions. A topic that lacks many rows may have lost events:
 * none is removed unless the operator accepts that.
 */
export class ProjectionRebuild {
  private readonly gate = new PauseGate();
  private records = 0;
  /** Events whose handler failed; another attempt may succeed. */
  private failed = 0;
  /** Poison messages, which no attempt can read. */
  private unreadable = 0;

  constructor(private readonly options: ProjectionRebuildOptions) {}

  /** @throws when it cannot finish, the lease is lost, or the signal aborts; then it has to start again */
  async run(source: ProjectionSource, { epoch }: HeldLease, signal: AbortSignal): Promise<void> {
    const { states, dataSource, lease, logger } = this.options;
    const { topic } = source;
    /** Fences every write with the lease. */
    const guarded = <T>(step: (manager: EntityManager) => Promise<T>): Promise<T> =>
      dataSource.transaction(async (manager) => {
        await lease.assertHeld(manager, epoch);
        return step(manager);
      });
    const pass = async (): Promise<void> => {
      await this.pass(topic, signal);
      await guarded((manager) => states.count(topic, this.counts(), manager));
    };
    const { tables, acceptsOlder } = await guarded((manager) => states.begin(manager, source));
    await pass();
    const unseen = await states.countUnseen(topic, tables);
    // An event that was not applied could have confirmed a row, and an empty topic confirms nothing.
    const hasLost = (): boolean => this.counts().failed > 0 || this.records === 0;
    if (unseen > 0 && !hasLost()) {
      await guarded((manager) =>
        acceptsOlder ? states.distrustUnseen(manager, topic) : states.confirmUnseen(manager, topic),
      );
      await pass();
    }
    if (this.failed > 0) {
      const isBuilt = await guarded((manager) => states.finishIncomplete(manager, source));
      if (!isBuilt) throw new Error(`${this.failed} events of ${topic} could not be applied`);
      logger.error({ ...source, ...this.counts() }, 'projections rebuilt with failed events');
      return;
    }
    const isPartial =
      unseen > 0 && !acceptsOlder && isIncomplete(await states.countRows(topic, tables));
    const outcome = await guarded(async (manager) => {
      const isSafe = !hasLost() && !isPartial;
      const removed = isSafe ? await states.removeUnseen(manager, topic, tables) : 0;
      const isExplained = this.unreadable > 0 || (acceptsOlder && isSafe);
      const newer = isExplained ? 0 : Math.max(0, unseen - removed);
      await states.finish(manager, source, { removed, newer });
      return { removed, newer };
    });
    const facts = { ...source, ...this.counts(), ...outcome };
    if (this.unreadable > 0) logger.error(facts, 'projections built without unreadable events');
    else if (isPartial) logger.error(facts, 'projections kept: the topic lacks many of their rows');
    else if (outcome.newer > 0) logger.error(facts, 'projections have rows newer than the topic');
    else logger.info(facts, 'projections built');
  }

  private counts(): { records: number; failed: number } {
    return { records: this.records, failed: this.failed + this.unreadable };
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
    await this.options.states.count(topic, this.counts()).catch(() => undefined);
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
        const isUnreadable = error instanceof UnacceptableRecordError;
        if (!isUnreadable && waitMs !== undefined) {
          failures += 1;
          await delay(waitMs);
          continue;
        }
        this.records += 1;
        if (isUnreadable) this.unreadable += 1;
        else this.failed += 1;
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
