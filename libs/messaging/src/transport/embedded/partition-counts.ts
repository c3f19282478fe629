import type { DataSource } from 'typeorm';
import { loadTopics } from './log-topics.js';

/** Cache of partition counts, refreshed since partitions can be added. */
export class PartitionCounts {
  private counts = new Map<string, number>();
  private loadedAt = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly maxAgeMs: number,
  ) {}

  async load(topics: readonly string[]): Promise<void> {
    const fresh = Date.now() - this.loadedAt < this.maxAgeMs;
    if (fresh && topics.every((topic) => this.counts.has(topic))) return;
    const present = await loadTopics(this.dataSource);
    this.counts = new Map([...present].map(([name, { partitions }]) => [name, partitions]));
    this.loadedAt = Date.now();
  }

  has(topic: string): boolean {
    return this.counts.has(topic);
  }

  of(topic: string): number {
    const count = this.counts.get(topic);
    if (count === undefined) throw new Error(`topic ${topic} is missing`);
    return count;
  }
}
