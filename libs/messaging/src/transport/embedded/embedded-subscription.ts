import { type DatabaseConfig, isDatabaseUnavailable } from '@bascule/persistence';
import { type Logger, WakeSignal } from '@bascule/process';
import type { DataSource } from 'typeorm';
import type {
  IncomingRecord,
  PartitionProgress,
  SubscribeOptions,
  Subscription,
  SubscriptionState,
} from '../transport.js';
import { OffsetCommits, type Position } from '../offset-commits.js';
import { GroupSession } from './group-session.js';
import { commitOffsets, fetchRecords, groupProgress } from './log-queries.js';

export interface EmbeddedSubscriptionOptions extends SubscribeOptions {
  dataSource: DataSource;
  database: DatabaseConfig;
  logger: Logger;
  pollMs: number;
  fetchSize: number;
  /** Interval at which a standby process tries to take over. */
  standbyMs: number;
  partitionsMaxAgeMs: number;
}

const MAX_BACKOFF_MS = 5_000;

/** Reads the partitions of its topics while this process holds the group's lock. */
export class EmbeddedSubscription implements Subscription {
  private readonly signal = new WakeSignal();
  private readonly commits: OffsetCommits;
  private readonly positions = new Map<string, Position>();
  /** Partitions with backpressure, and whether new records arrived meanwhile. */
  private readonly busy = new Map<string, { mayHaveMore: boolean }>();
  private session: GroupSession | null = null;
  private joined = false;
  private reachable = true;
  private fetchedAt: number | null = null;
  private partitionsCheckedAt = 0;
  private stopped = false;
  private readonly loop: Promise<void>;

  constructor(private readonly options: EmbeddedSubscriptionOptions) {
    this.commits = new OffsetCommits(
      (positions) => commitOffsets(options.dataSource, options.group, positions),
      options.logger,
    );
    this.loop = this.run();
  }

  commit(position: Position): void {
    this.commits.add(position);
  }

  progress(): Promise<PartitionProgress[]> {
    return groupProgress(this.options.dataSource, this.options.group, this.options.topics);
  }

  state(): SubscriptionState {
    return {
      assigned: this.session !== null,
      joined: this.joined,
      fetchedAt: this.fetchedAt,
      brokerReachable: this.reachable,
    };
  }

  /** Restarts by closing the session; each read starts anew anyway. */
  async restart(): Promise<void> {
    const session = this.session;
    if (session !== null) await session.close();
    this.signal.wake();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.signal.wake();
    await this.loop;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.commits.flush();
    this.commits.end();
    await this.session?.close();
    this.session = null;
  }

  private async run(): Promise<void> {
    let backoff = this.options.pollMs;
    while (!this.stopped) {
      try {
        await this.step();
        this.reachable = true;
        backoff = this.options.pollMs;
      } catch (error) {
        this.reachable = !isDatabaseUnavailable(error);
        this.options.logger.warn(
          { err: error, group: this.options.group },
          'reading the event log failed',
        );
        backoff = Math.min(backoff * 2, MAX_BACKOFF_MS);
        await this.signal.wait(backoff);
      }
    }
  }

  private async step(): Promise<void> {
    if (this.session?.isLost) await this.releaseAll();
    if (this.session === null) {
      if (!(await this.takeOver())) await this.signal.wait(this.options.standbyMs);
      return;
    }
    if (Date.now() - this.partitionsCheckedAt > this.options.partitionsMaxAgeMs) {
      await this.findPartitions();
    }
    await this.fetch();
    this.fetchedAt = Date.now();
    await this.signal.wait(this.options.pollMs);
  }

  private async takeOver(): Promise<boolean> {
    this.session = await GroupSession.open({ ...this.options, signal: this.signal });
    this.joined = true;
    if (this.session === null) return false;
    this.positions.clear();
    this.partitionsCheckedAt = 0;
    return true;
  }

  private async findPartitions(): Promise<void> {
    for (const { topic, partition, committed } of await this.progress()) {
      const address = `${topic}/${partition}`;
      if (!this.positions.has(address)) {
        this.positions.set(address, { topic, partition, next: committed });
      }
    }
    this.partitionsCheckedAt = Date.now();
  }

  /** Releases the partitions: the lock ended with the connection. */
  private async releaseAll(): Promise<void> {
    const partitions = [...this.positions.values()];
    this.positions.clear();
    this.session = null;
    await this.options.receiver.release(partitions);
    await this.commits.flush();
  }

  /** Reads each partition once; notifications and finished work wake it again. */
  private async fetch(): Promise<void> {
    for (const work of this.busy.values()) work.mayHaveMore = true;
    const idle = [...this.positions].filter(([address]) => !this.busy.has(address));
    const records = await fetchRecords(
      this.options.dataSource,
      idle.map(([, position]) => position),
      this.options.fetchSize,
    );
    const byPartition = Map.groupBy(records, (r) => `${r.topic}/${r.partition}`);
    for (const [address, position] of idle) {
      const own = byPartition.get(address) ?? [];
      const last = own.at(-1);
      if (last === undefined) continue;
      position.next = last.offset + 1n;
      this.deliver(address, position, own);
    }
  }

  private deliver(
    address: string,
    { topic, partition }: Position,
    records: IncomingRecord[],
  ): void {
    const work = { mayHaveMore: records.length >= this.options.fetchSize };
    this.busy.set(address, work);
    this.options.receiver
      .receive({ topic, partition, records })
      .catch((error: unknown) => {
        if (this.stopped) return;
        this.options.logger.error(
          { err: error, topic, partition },
          'batch not accepted by the receiver',
        );
        // Continuing after it would commit past it.
        return this.restart();
      })
      .finally(() => {
        this.busy.delete(address);
        if (work.mayHaveMore) this.signal.wake();
      });
  }
}
