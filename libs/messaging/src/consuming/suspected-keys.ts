export interface TopicKey {
  topic: string;
  key: string;
}

/** So many, and twice as many as were left the last time, are looked through. */
const FORGETS_ABOVE = 1_000;

const nameOf = ({ topic, key }: TopicKey): string => `${topic}/${key}`;

/** Keys that have, or lately had, parked events. Most of them never come again. */
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

  /** When there are many: forgets those of the topic that are not parked, but none that was added meanwhile. */
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
