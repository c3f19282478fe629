import type { DataSource } from 'typeorm';
import type { Logger } from '@bascule/process';
import { commitOffsets, type Position } from './log-queries.js';

/** Commits are collected for a moment: a lost one is a redelivery, which everybody tolerates. */
const COLLECT_MS = 50;

export class OffsetCommits {
  private readonly pending = new Map<string, Position>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly group: string,
    private readonly logger: Logger,
  ) {}

  add(position: Position): void {
    this.pending.set(`${position.topic}/${position.partition}`, position);
    this.timer ??= setTimeout(() => {
      void this.flush();
    }, COLLECT_MS);
  }

  /** Writes what is pending. A failure is logged and tried again with the next commit. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  private async write(): Promise<void> {
    if (this.pending.size === 0) return;
    const positions = [...this.pending];
    this.pending.clear();
    try {
      await commitOffsets(
        this.dataSource,
        this.group,
        positions.map(([, position]) => position),
      );
    } catch (error) {
      this.logger.warn({ err: error }, 'committing offsets failed');
      for (const [key, position] of positions) {
        if (!this.pending.has(key)) this.pending.set(key, position);
      }
    }
  }
}
