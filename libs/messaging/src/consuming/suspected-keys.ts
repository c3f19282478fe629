export interface TopicKey {
  topic: string;
  key: string;
}

/** Size that triggers a clean-up, or twice the size after the last one if that is larger. */
const FORGETS_ABOVE = 1_000;

const nameOf = ({ topic, key }: TopicKey): string => `${topic}/${key}`;

/** Cache of keys with possibly parked events; the database is certain. */
export class SuspectedKeys {
  private readonly known = new Map<string, TopicKey & { suspectedAt: number }>();
  private clock = 0;

  constructor(private forgetsAbove = FORGETS_ABOVE) {}

  get size(): number {
    return this.known.size;
  }

  add({ topic, key }: TopicKey): void {
    this.clock += 1;
    this.known.set(nameOf({ topic, key }), { topic, key, suspectedAt: this.clock });
  }

  has(of: TopicKey): boolean {
    return this.known.has(nameOf(of));
  }

  delete(of: TopicKey): void {
    this.known.delete(nameOf(of));
  }

  /** Removes keys of the topic that are not parked, once the cache is large; keeps those added meanwhile. */
  async forget(
    topic: string,
    parkedKeys: (keys: readonly string[]) => Promise<readonly string[]>,
  ): Promise<void> {
    if (this.known.size <= this.forgetsAbove) return;
    const asked = this.clock;
    const candidates = [...this.known.values()].filter((each) => each.topic === topic);
    const parked = new Set(await parkedKeys(candidates.map(({ key }) => key)));
    for (const { key } of candidates) {
      const suspectedAt = this.known.get(nameOf({ topic, key }))?.suspectedAt ?? Infinity;
      if (!parked.has(key) && suspectedAt <= asked) this.delete({ topic, key });
    }
    this.forgetsAbove = Math.max(this.forgetsAbove, 2 * this.known.size);
  }
}
