import { closeConnection, connectDirectly, type DatabaseConfig } from '@bascule/persistence';
import { faultPoint, type Logger, RepeatedWarning, WakeSignal } from '@bascule/process';
import type pg from 'pg';
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
import { relayChannel, type RelayWaker } from '../outbox/relay-waker.js';
import { publishTraced } from './publish-traced.js';

export interface OutboxRelayOptions {
  /** Service name of the spans. */
  service: string;
  database: DatabaseConfig;
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

/**
 * Publishes the outbox. One relay leads per service, by an advisory lock on its own connection. It reads rows in id
 * order, publishes them, awaits the acknowledgement and deletes them. It never skips locked rows, which would reorder
 * a key, and never stores a position, since ids become visible out of order.
 */
export class OutboxRelay {
  private readonly signal = new WakeSignal();
  private client: pg.Client | null = null;
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
      if (this.client !== null) await this.publishAll(this.client);
    } finally {
      await this.resign();
    }
  }

  private async run(): Promise<void> {
    let backoff = this.options.pollMs;
    while (!this.stopped) {
      try {
        if (this.client === null && !(await this.tryToLead())) {
          await this.signal.wait(this.options.standbyMs);
          continue;
        }
        if (this.client !== null) await this.publishAll(this.client);
        this.warning.clear();
        backoff = this.options.pollMs;
        await this.signal.wait(this.options.pollMs);
      } catch (error) {
        this.warning.report(errorReason(error), { err: error });
        if (!(error instanceof TransportUnavailableError)) await this.resign();
        else if (this.shouldResign()) {
          await this.resign();
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

  private async tryToLead(): Promise<boolean> {
    const { database, waker, metrics } = this.options;
    const client = await connectDirectly(database, `bascule/relay ${database.schema}`);
    try {
      const { rows } = await client.query<{ locked: boolean }>(
        `SELECT pg_try_advisory_lock(hashtext('bascule-outbox'), hashtext($1)) AS locked`,
        [database.schema],
      );
      if (rows[0]?.locked !== true) {
        await closeConnection(client);
        return false;
      }
      await client.query(`LISTEN "${relayChannel(database.schema)}"`);
    } catch (error) {
      await closeConnection(client);
      throw error;
    }
    client.on('notification', () => {
      this.signal.wake();
    });
    client.on('end', () => {
      if (this.client === client) void this.resign();
    });
    this.client = client;
    waker.setLocalLeader(() => {
      this.signal.wake();
    });
    metrics.leader.set(1);
    return true;
  }

  private async resign(): Promise<void> {
    const client = this.client;
    this.client = null;
    this.options.waker.setLocalLeader(undefined);
    this.options.metrics.leader.set(0);
    if (client !== null) await closeConnection(client);
  }

  /**
   * Publishes batches until none is left. While one is in flight, the next is read and the previous one deleted. Only
   * one is ever in flight, so a failure repeats batches but never reorders them.
   */
  private async publishAll(client: pg.Client): Promise<void> {
    for (const topic of this.paused.names) {
      if (this.paused.isDue(topic)) await this.retryTopic(client, topic);
    }
    let rows = await this.read(client, []);
    let deletion: Promise<void> = Promise.resolve();
    while (rows.length > 0 && this.client === client) {
      const [next, published] = await settleAll(
        this.read(client, rows),
        this.publish(rows),
        deletion,
      );
      deletion = this.delete(client, published);
      rows = next.filter(({ topic }) => !this.paused.has(topic));
      // More rows may follow those of paused topics.
      if (rows.length < next.length) rows = await this.read(client, published);
    }
    await deletion;
  }

  /** Retries one paused topic alone, so that other topics neither wait nor repeat. */
  private async retryTopic(client: pg.Client, topic: string): Promise<void> {
    const { rows } = await client.query<OutboxRecord>(
      `SELECT id, topic, key, envelope FROM outbox WHERE topic = $1 ORDER BY id LIMIT ${BATCH_SIZE}`,
      [topic],
    );
    if (rows.length > 0) await this.delete(client, await this.publish(rows));
    if (!this.paused.isDue(topic)) return;
    this.paused.resume(topic);
    this.topicWarning.clear();
    this.options.metrics.pausedTopics.set(this.paused.names.length);
  }

  /** Reads the first rows not in flight. A commit may still add a lower id than any of them. */
  private async read(client: pg.Client, inFlight: readonly OutboxRecord[]) {
    const { rows } = await client.query<OutboxRecord>(
      `SELECT id, topic, key, envelope FROM outbox
       WHERE id <> ALL ($1::bigint[]) AND topic <> ALL ($2::text[]) ORDER BY id LIMIT ${BATCH_SIZE}`,
      [inFlight.map(({ id }) => id), this.paused.names],
    );
    return rows;
  }

  /** Publishes rows and returns those acknowledged; the others stay or became dead letters. */
  private async publish(rows: readonly OutboxRecord[]): Promise<readonly OutboxRecord[]> {
    const { service, transport } = this.options;
    let sent: readonly OutgoingRecord[] = [];
    try {
      await publishTraced(rows, service, (records) => {
        sent = records;
        return transport.publish(records);
      });
    } catch (error) {
      if (error instanceof TopicsUnavailableError) return this.pauseTopics(rows, error);
      if (!(error instanceof RecordTooLargeError)) throw error;
      const tooLarge = new Set(rows.filter((_, n) => error.records.some((one) => one === sent[n])));
      if (tooLarge.size === 0) throw error;
      await this.options.refused.deadLetter([...tooLarge], errorReason(error));
      return this.publish(rows.filter((row) => !tooLarge.has(row)));
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

  private async delete(client: pg.Client, rows: readonly OutboxRecord[]): Promise<void> {
    await client.query('DELETE FROM outbox WHERE id = ANY ($1::bigint[])', [
      rows.map(({ id }) => id),
    ]);
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
