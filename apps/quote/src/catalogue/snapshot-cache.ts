import { LRUCache } from 'lru-cache';

/** Maximum age of a snapshot that cannot be read again. */
const MAX_STALE_MS = 60_000;
const KEY = 'snapshot';

/**
 * Stale-while-revalidate cache of one snapshot. A snapshot older than `freshMs` is refreshed in the background; readers
 * wait for one twice as old, unless the last read failed. Equal revisions keep the same object.
 */
export class SnapshotCache<T extends { revision: string }> {
  private readonly cache: LRUCache<string, T>;
  private isFailing = false;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly freshMs: number,
  ) {
    this.cache = new LRUCache({
      max: 1,
      ttl: freshMs,
      ttlResolution: 0,
      perf: { now: () => Date.now() },
      fetchMethod: (_, previous) => this.load(previous),
    });
  }

  /** @throws the read's error when no usable snapshot is left */
  get(): Promise<T> {
    const age = this.freshMs - this.cache.getRemainingTTL(KEY);
    const isCached = this.cache.peek(KEY, { allowStale: true }) !== undefined;
    const isUsable = isCached && age <= MAX_STALE_MS;
    return this.cache.forceFetch(KEY, {
      allowStale: isUsable && (age <= 2 * this.freshMs || this.isFailing),
      allowStaleOnFetchRejection: isUsable,
    });
  }

  private async load(previous: T | undefined): Promise<T> {
    try {
      const snapshot = await this.read();
      this.isFailing = false;
      return previous?.revision === snapshot.revision ? previous : snapshot;
    } catch (error) {
      this.isFailing = true;
      throw error;
    }
  }
}
