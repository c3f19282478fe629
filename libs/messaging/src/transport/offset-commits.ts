import type { Logger } from '@bascule/process';
import type { TopicPartition } from './transport.js';

export interface Position extends TopicPartition {
  next: bigint;
}

export const addressOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

/** Commits are collected for a moment: a lost one is a redelivery, which everybody tolerates. */
const COLLECT_MS = 50;

export class OffsetCommits {
  private readonly pending = new Map<string, Position>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly write: (positions: readonly Position[]) => Promise<void>,
    private readonly logger: Logger,
  ) {}

  add(position: Position): void {
    this.pending.set(addressOf(position), position);
    this.timer ??= setTimeout(() => {
      void this.flush();
    }, COLLECT_MS);
  }

  /** Writes what is pending. A failure is logged and tried again with the next commit. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(() => this.writePending());
    return this.writing;
  }

  /** For partitions that are somebody else's now. */
  forget(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pending.clear();
  }

  private async writePending(): Promise<void> {
    if (this.pending.size === 0) return;
    const positions = [...this.pending];
    this.pending.clear();
    try {
      await this.write(positions.map(([, position]) => position));
    } catch (error) {
      this.logger.warn({ err: error }, 'committing offsets failed');
      for (const [address, position] of positions) {
        if (!this.pending.has(address)) this.pending.set(address, position);
      }
    }
  }
}
