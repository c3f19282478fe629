import type { RecordBatch } from '../transport.js';

export interface FeedHooks {
  receive: (batch: RecordBatch) => Promise<void>;
  /** Pauses the partition under backpressure. */
  onFull: () => void;
  onRoom: () => void;
  onRefused: (error: unknown) => void;
}

/** Delivers batches of one partition one by one and buffers the next. */
export class PartitionFeed {
  private readonly waiting: RecordBatch[] = [];
  private handingOver = false;
  private full = false;
  private closed = false;

  constructor(private readonly hooks: FeedHooks) {}

  get isFull(): boolean {
    return this.full;
  }

  offer(batch: RecordBatch): void {
    if (this.closed) return;
    this.waiting.push(batch);
    if (!this.handingOver) {
      void this.handOver();
    } else if (!this.full) {
      this.full = true;
      this.hooks.onFull();
    }
  }

  /** Drops the buffered batch. */
  close(): void {
    this.closed = true;
    this.waiting.length = 0;
  }

  private async handOver(): Promise<void> {
    this.handingOver = true;
    for (let batch = this.waiting.shift(); batch !== undefined; batch = this.waiting.shift()) {
      this.makeRoom();
      try {
        await this.hooks.receive(batch);
      } catch (error) {
        if (!this.closed) this.hooks.onRefused(error);
        this.close();
      }
    }
    this.handingOver = false;
  }

  private makeRoom(): void {
    if (!this.full || this.waiting.length > 0) return;
    this.full = false;
    this.hooks.onRoom();
  }
}
