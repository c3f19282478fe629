/** Shares reads of the same key, in progress or done, of which it keeps the newest. A failed one is made again. */
export class RecentReads<K, V> {
  private readonly reads = new Map<K, Promise<V>>();
  private readonly done = new Set<K>();

  constructor(private readonly most: number) {}

  get(key: K, read: () => Promise<V>): Promise<V> {
    const known = this.reads.get(key);
    if (known !== undefined) return known;
    const made = read();
    this.reads.set(key, made);
    made.then(
      () => {
        if (this.reads.get(key) === made) this.keep(key);
      },
      () => {
        if (this.reads.get(key) === made) this.forget(key);
      },
    );
    return made;
  }

  forget(key: K): void {
    this.reads.delete(key);
    this.done.delete(key);
  }

  private keep(key: K): void {
    this.done.add(key);
    const [oldest] = this.done;
    if (this.done.size > this.most && oldest !== undefined) this.forget(oldest);
  }
}
