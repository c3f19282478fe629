import { fenceParameters, LeaseLostError, lockingLease } from '@bascule/persistence';
import { faultPoint, type Logger, RepeatedWarning, WakeSignal } from '@bascule/process';
import { errorReason } from '../errors/error-reason.js';
import { RecordTooLargeError } from '../transport/record-size.js';
import {
  type OutgoingRecord,
  TopicsUnavailableError,
  type Transport,
  TransportUnavailableError,
} from '../transport/transport.js';
import { PausedTopics } from './paused-topics.js';
import type { OutboxRecord } from './outbox-record.js';
import type { RefusedRows } from './refused-rows.js';
import type { RelayMetrics } from './relay-metrics.js';
import type { RelayWaker } from '../outbox/relay-waker.js';
import { type Leader, Leadership, type LeadershipOptions } from './leadership.js';
import { publishTraced } from './publish-traced.js';

export interface OutboxRelayOptions extends Omit<LeadershipOptions, 'onRows' | 'onResigned'> {
  /** Service name of the spans. */
  service: string;
  transport: Transport;
  waker: RelayWaker;
  refused: RefusedRows;
  metrics: RelayMetrics;
  logger: Logger;
  pollMs: number;
  /** Interval at which a standby relay tries to lead. */
  standbyMs: number;
  /** Time of failed publishing after which a leader resigns. */
  resignAfterMs?: number;
}

const BATCH_SIZE = 500;
const MAX_BACKOFF_MS = 5_000;
const RESIGN_AFTER_MS = 10_000;
/** Standby intervals that a resigned leader waits. */
const STANDBY_TURNS_AFTER_RESIGN = 3;

/** Deletes published rows, and nothing after another process acquired the lease. */
const DELETE = `
  WITH fence AS (${lockingLease(2)}), deleted AS (
    DELETE FROM outbox WHERE id = ANY ($1::bigint[]) AND EXISTS (SELECT FROM fence)
  )
  SELECT FROM fence`;

/**
 * Publishes the outbox. One relay leads per service, by a lease whose epoch fences all that it writes. It reads rows in
 * id order, publishes them, awaits the acknowledgement and deletes them. It never skips locked rows, which would
 * reorder a key, and never stores a position, since ids become visible out of order.
 */
export class OutboxRelay {
  private readonly signal = new WakeSignal();
  private readonly leadership: Leadership;
  private stopped = false;
  private loop: Promise<void> | undefined;

  /** Start of the current failure to publish. */
  private failingSince: number | null = null;
  private readonly warning: RepeatedWarning;
  private readonly paused = new PausedTopics();
  private readonly topicWarning: RepeatedWarning;

  constructor(private readonly options: OutboxRelayOptions) {
    this.warning = new RepeatedWarning(options.logger, 'outbox relay failed');
    this.topicWarning = new RepeatedWarning(
      options.logger,
      'topics paused: events stay in the outbox',
    );
    this.leadership = new Leadership({
      ...options,
      onRows: () => {
        this.signal.wake();
      },
      onResigned: () => {
        options.waker.setLocalLeader(undefined);
        options.metrics.leader.set(0);
      },
    });
  }

  start(): void {
    this.loop ??= this.run();
  }

  /** Publishes the remaining rows, then stops. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.signal.wake();
    await this.loop;
    try {
      const leader = this.leadership.current;
      if (leader !== null) await this.publishAll(leader);
    } finally {
      await this.leadership.resign();
    }
  }

  private async run(): Promise<void> {
    let backoff = this.options.pollMs;
    while (!this.stopped) {
      try {
        const leader = this.leadership.current ?? (await this.tryToLead());
        if (leader === null) {
          await this.signal.wait(this.options.standbyMs);
          continue;
        }
        await this.publishAll(leader);
        this.warning.clear();
        backoff = this.options.pollMs;
        await this.signal.wait(this.options.pollMs);
      } catch (error) {
        this.warning.report(errorReason(error), { err: error });
        if (!(error instanceof TransportUnavailableError)) await this.leadership.resign();
        else if (this.shouldResign()) {
          await this.leadership.resign();
          await this.signal.wait(STANDBY_TURNS_AFTER_RESIGN * this.options.standbyMs);
        }
        backoff = Math.min(backoff * 2, MAX_BACKOFF_MS);
        await this.signal.wait(backoff);
      }
    }
  }

  /** Whether to resign: another process may reach the brokers when this one cannot. */
  private shouldResign(): boolean {
    const { resignAfterMs = RESIGN_AFTER_MS } = this.options;
    this.failingSince ??= Date.now();
    if (Date.now() - this.failingSince < resignAfterMs) return false;
    this.failingSince = null;
    return true;
  }

  private async tryToLead(): Promise<Leader | null> {
    const { waker, metrics } = this.options;
    const leader = await this.leadership.tryToLead();
    if (leader === null) return null;
    waker.setLocalLeader(() => {
      this.signal.wake();
    });
    metrics.leader.set(1);
    return leader;
  }

  /**
   * Publishes batches until none is left. While one is in flight, the next is read and the previous one deleted. Only
   * one is ever in flight, so a failure repeats batches but never reorders them.
   */
  private async publishAll(leader: Leader): Promise<void> {
    for (const topic of this.paused.names) {
      if (this.paused.isDue(topic)) await this.retryTopic(leader, topic);
    }
    let rows = await this.read(leader, []);
    let deletion: Promise<void> = Promise.resolve();
    while (rows.length > 0 && this.leadership.current === leader) {
      const [next, published] = await settleAll(
        this.read(leader, rows),
        this.publish(leader, rows),
        deletion,
      );
      deletion = this.delete(leader, published);
      rows = next.filter(({ topic }) => !this.paused.has(topic));
      // More rows may follow those of paused topics.
      if (rows.length < next.length) rows = await this.read(leader, published);
    }
    await deletion;
  }

  /** Retries one paused topic alone, so that other topics neither wait nor repeat. */
  private async retryTopic(leader: Leader, topic: string): Promise<void> {
    const { rows } = await leader.client.query<OutboxRecord>(
      `SELECT id, topic, key, envelope FROM outbox WHERE topic = $1 ORDER BY id LIMIT ${BATCH_SIZE}`,
      [topic],
    );
    if (rows.length > 0) await this.delete(leader, await this.publish(leader, rows));
    if (!this.paused.isDue(topic)) return;
    this.paused.resume(topic);
    this.topicWarning.clear();
    this.options.metrics.pausedTopics.set(this.paused.names.length);
  }

  /** Reads the first rows not in flight. A commit may still add a lower id than any of them. */
  private async read({ client }: Leader, inFlight: readonly OutboxRecord[]) {
    const { rows } = await client.query<OutboxRecord>(
      `SELECT id, topic, key, envelope FROM outbox
       WHERE id <> ALL ($1::bigint[]) AND topic <> ALL ($2::text[]) ORDER BY id LIMIT ${BATCH_SIZE}`,
      [inFlight.map(({ id }) => id), this.paused.names],
    );
    return rows;
  }

  /** Publishes rows and returns those acknowledged; the others stay or became dead letters. */
  private async publish(
    leader: Leader,
    rows: readonly OutboxRecord[],
  ): Promise<readonly OutboxRecord[]> {
    const { service, transport } = this.options;
    let sent: readonly OutgoingRecord[] = [];
    try {
      await publishTraced(rows, service, (records) => {
        sent = records;
        return transport.publish(records, leader.fence);
      });
    } catch (error) {
      if (error instanceof TopicsUnavailableError) return this.pauseTopics(rows, error);
      if (!(error instanceof RecordTooLargeError)) throw error;
      const tooLarge = new Set(rows.filter((_, n) => error.records.some((one) => one === sent[n])));
      if (tooLarge.size === 0) throw error;
      await this.options.refused.deadLetter([...tooLarge], errorReason(error), leader.fence);
      return this.publish(
        leader,
        rows.filter((row) => !tooLarge.has(row)),
      );
    }
    this.failingSince = null;
    faultPoint('outbox.published');
    return rows;
  }

  private pauseTopics(rows: readonly OutboxRecord[], error: TopicsUnavailableError) {
    for (const topic of error.topics) this.paused.pause(topic);
    this.topicWarning.report(errorReason(error), { err: error });
    this.options.metrics.pausedTopics.set(this.paused.names.length);
    this.failingSince = null;
    return rows.filter(({ topic }) => !error.topics.has(topic));
  }

  private async delete({ client, fence }: Leader, rows: readonly OutboxRecord[]): Promise<void> {
    const ids = rows.map(({ id }) => id);
    const { rowCount } = await client.query(DELETE, [ids, ...fenceParameters(fence)]);
    if (rowCount === 0) throw new LeaseLostError(fence.name);
    faultPoint('outbox.deleted');
    this.options.metrics.published.inc(rows.length);
  }
}

/** Awaits all, then rejects: a failed round leaves nothing in flight for the next. */
async function settleAll<A, B, C>(
  ...work: [Promise<A>, Promise<B>, Promise<C>]
): Promise<[A, B, C]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
