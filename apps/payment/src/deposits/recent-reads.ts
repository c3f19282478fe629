/** Shares reads of the same key, in progress or done, of which it keeps the newest. A failed one is made again. */
export class RecentReads<V> {
  private readonly reads = new Map<string, Promise<V>>();

  constructor(private readonly most: number) {}

  get(key: string, read: () => Promise<V>): Promise<V> {
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

  forget(key: string): void {
    this.reads.delete(key);
  }
}
