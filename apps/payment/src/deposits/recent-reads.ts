/** Shares reads of the same key, in progress or done, of which it keeps the newest. A failed one is made again. */
export class RecentReads<K, V> {
  private readonly reads = new Map<K, Promise<V>>();

  constructor(private readonly most: number) {}

  get(key: K, read: () => Promise<V>): Promise<V> {
    const known = this.reads.get(key);
    if (known !== undefined) return known;
    const made = read();
    this.reads.set(key, made);
    made.catch(() => {
      if (this.reads.get(key) === made) this.reads.delete(key);
    });
    const [oldest] = this.reads.keys();
    if (this.reads.size > this.most && oldest !== undefined) this.reads.delete(oldest);
    return made;
  }

  forget(key: K): void {
    this.reads.delete(key);
  }
}
