export interface TopicKey {
  topic: string;
  key: string;
}

/** Size that triggers a clean-up, or twice the size after the last one if that is larger. */
const PRUNE_ABOVE = 1_000;

const cacheKey = ({ topic, key }: TopicKey): string => `${topic}/${key}`;

/** Caches keys that may have parked events; the database decides. */
export class ParkedKeyCache {
  private readonly entries = new Map<string, TopicKey & { addedAt: number }>();
  private clock = 0;

  constructor(private pruneAbove = PRUNE_ABOVE) {}

  get size(): number {
    return this.entries.size;
  }

  add({ topic, key }: TopicKey): void {
    this.clock += 1;
    this.entries.set(cacheKey({ topic, key }), { topic, key, addedAt: this.clock });
  }

  has(of: TopicKey): boolean {
    return this.entries.has(cacheKey(of));
  }

  delete(of: TopicKey): void {
    this.entries.delete(cacheKey(of));
  }

  /** Removes keys of the topic that are not parked, once the cache is large; keeps those added meanwhile. */
  async prune(
    topic: string,
    parkedKeys: (keys: readonly string[]) => Promise<readonly string[]>,
  ): Promise<void> {
    if (this.entries.size <= this.pruneAbove) return;
    const queriedAt = this.clock;
    const candidates = [...this.entries.values()].filter((each) => each.topic === topic);
    const parked = new Set(await parkedKeys(candidates.map(({ key }) => key)));
    for (const { key } of candidates) {
      const addedAt = this.entries.get(cacheKey({ topic, key }))?.addedAt ?? Infinity;
      if (!parked.has(key) && addedAt <= queriedAt) this.delete({ topic, key });
    }
    this.pruneAbove = Math.max(this.pruneAbove, 2 * this.entries.size);
  }
}
