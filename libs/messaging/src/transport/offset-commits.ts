import type { Logger } from '@bascule/process';
import type { TopicPartition } from './transport.js';

export interface Position extends TopicPartition {
  next: bigint;
}

export const addressOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

/** Batches commits; a lost commit causes a redelivery, which consumers tolerate. */
const COLLECT_MS = 50;
const MAX_BACKOFF_MS = 5_000;

export class OffsetCommits {
  private readonly pending = new Map<string, Position>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private backoffMs = COLLECT_MS;
  private over = false;

  constructor(
    private readonly write: (positions: readonly Position[]) => Promise<void>,
    private readonly logger: Logger,
  ) {}

  add(position: Position): void {
    if (this.over) return;
    this.pending.set(addressOf(position), position);
    this.flushIn(COLLECT_MS);
  }

  /** Writes pending commits; failures are logged and retried. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(() => this.writePending());
    return this.writing;
  }

  /** Drops pending commits of reassigned partitions. */
  end(): void {
    this.over = true;
    clearTimeout(this.timer);
    this.pending.clear();
  }

  private flushIn(ms: number): void {
    this.timer ??= setTimeout(() => {
      void this.flush();
    }, ms);
  }

  private async writePending(): Promise<void> {
    if (this.pending.size === 0) return;
    const positions = [...this.pending];
    this.pending.clear();
    try {
      await this.write(positions.map(([, position]) => position));
      this.backoffMs = COLLECT_MS;
    } catch (error) {
      this.logger.warn({ err: error }, 'committing offsets failed');
      if (this.over) return;
      for (const [address, position] of positions) {
        if (!this.pending.has(address)) this.pending.set(address, position);
      }
      this.backoffMs = Math.min(this.backoffMs * 2, MAX_BACKOFF_MS);
      this.flushIn(this.backoffMs);
    }
  }
}
