import type { DatabaseConfig } from '@bascule/persistence';
import { type Logger, WakeSignal } from '@bascule/process';
import type { DataSource } from 'typeorm';
import type {
  IncomingRecord,
  PartitionProgress,
  SubscribeOptions,
  Subscription,
  SubscriptionState,
} from '../transport.js';
import { GroupSession } from './group-session.js';
import { fetchRecords, groupProgress, type Position } from './log-queries.js';
import { OffsetCommits } from './offset-commits.js';

export interface EmbeddedSubscriptionOptions extends SubscribeOptions {
  dataSource: DataSource;
  database: DatabaseConfig;
  logger: Logger;
  pollMs: number;
  fetchSize: number;
  /** How often a process that stands by tries to take over. */
  standbyMs: number;
}

const MAX_BACKOFF_MS = 5_000;

/** Reads the partitions of its topics while this process is the one of its group. */
export class EmbeddedSubscription implements Subscription {
  private readonly signal = new WakeSignal();
  private readonly commits: OffsetCommits;
  private readonly positions = new Map<string, Position>();
  /** Partitions whose receiver has no room at the moment. */
  private readonly busy = new Set<string>();
  private session: GroupSession | null = null;
  private fetchedAt: number | null = null;
  private stopped = false;
  private readonly loop: Promise<void>;

  constructor(private readonly options: EmbeddedSubscriptionOptions) {
    this.commits = new OffsetCommits(options.dataSource, options.group, options.logger);
    this.loop = this.run();
  }

  commit(position: Position): void {
    this.commits.add(position);
  }

  progress(): Promise<PartitionProgress[]> {
    return groupProgress(this.options.dataSource, this.options.group, this.options.topics);
  }

  state(): SubscriptionState {
    return { assigned: this.session !== null, fetchedAt: this.fetchedAt };
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.signal.wake();
    await this.loop;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.commits.flush();
    await this.session?.close();
    this.session = null;
  }

  private async run(): Promise<void> {
    let backoff = this.options.pollMs;
    while (!this.stopped) {
      try {
        if (await this.step()) backoff = this.options.pollMs;
      } catch (error) {
        this.options.logger.warn(
          { err: error, group: this.options.group },
          'reading the event log failed',
        );
        backoff = Math.min(backoff * 2, MAX_BACKOFF_MS);
        await this.signal.wait(backoff);
      }
    }
  }

  private async step(): Promise<boolean> {
    if (this.session?.isLost) await this.giveUp();
    if (this.session === null) {
      if (!(await this.takeOver())) await this.signal.wait(this.options.standbyMs);
      return true;
    }
    const records = await this.fetch();
    this.fetchedAt = Date.now();
    if (records.length === 0) await this.signal.wait(this.options.pollMs);
    return true;
  }

  private async takeOver(): Promise<boolean> {
    this.session = await GroupSession.open({ ...this.options, signal: this.signal });
    if (this.session === null) return false;
    this.positions.clear();
    for (const { topic, partition, committed } of await this.progress()) {
      this.positions.set(`${topic}/${partition}`, { topic, partition, next: committed });
    }
    return true;
  }

  /** The lock went with the connection: another process may be reading already. */
  private async giveUp(): Promise<void> {
    const partitions = [...this.positions.values()];
    this.positions.clear();
    this.session = null;
    await this.options.receiver.release(partitions);
    await this.commits.flush();
  }

  private async fetch(): Promise<IncomingRecord[]> {
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
    return records;
  }

  private deliver(
    address: string,
    { topic, partition }: Position,
    records: IncomingRecord[],
  ): void {
    this.busy.add(address);
    this.options.receiver
      .receive({ topic, partition, records })
      .catch((error: unknown) => {
        this.options.logger.error({ err: error, topic, partition }, 'a batch was not taken');
      })
      .finally(() => {
        this.busy.delete(address);
        this.signal.wake();
      });
  }
}
