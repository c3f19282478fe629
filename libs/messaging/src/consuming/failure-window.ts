export interface FailureWindowOptions {
  /** Failing keys from which a topic counts as failing. */
  minKeys: number;
  /** Organisations whose keys fail, at least, where as many are known. */
  minGroups: number;
}

/** `refused` is a failure whose event became a dead letter at once; any other failed event is parked. */
export type Outcome = 'succeeded' | 'failed' | 'refused';

/** Newest groups with outcomes. */
const MAX_GROUPS = 100;
/** Time after which a success or a dead letter no longer counts; a parked key fails until it has one of them. */
const FINAL_MS = 10 * 60_000;
/** Time within which an event that has just failed is certainly parked. */
const PARKING_MS = 60_000;

interface Entry {
  outcome: Outcome;
  at: number;
}

/**
 * Outcomes of the newest keys of a topic. No group counts for more keys than its share of the minimum, so that the keys
 * of one organisation neither pause a topic nor hide the failures of others.
 */
export class FailureWindow {
  private readonly groups = new Map<string, Map<string, Entry>>();
  readonly perGroup: number;

  constructor(
    private readonly options: FailureWindowOptions,
    private readonly now: () => number = () => performance.now(),
  ) {
    // Two organisations are enough where no third one is known.
    this.perGroup = Math.ceil(options.minKeys / Math.min(options.minGroups, 2));
  }

  record(group: string, key: string, outcome: Outcome): void {
    const entries = this.groups.get(group) ?? new Map<string, Entry>();
    moveToEnd(this.groups, group, entries, MAX_GROUPS);
    moveToEnd(entries, key, { outcome, at: this.now() }, this.perGroup);
  }

  /** Whether most keys fail, and most keys of most organisations. */
  isFailing(): boolean {
    const keys = { failing: 0, others: 0 };
    const groups = { failing: 0, others: 0 };
    for (const entries of this.groups.values()) {
      const { failing, others } = this.count(entries);
      keys.failing += failing;
      keys.others += others;
      if (failing > others) groups.failing += 1;
      else if (others > 0) groups.others += 1;
    }
    const { minKeys, minGroups } = this.options;
    return (
      keys.failing >= minKeys &&
      keys.failing > keys.others &&
      groups.failing >= Math.min(minGroups, this.groups.size) &&
      groups.failing > groups.others
    );
  }

  /** Failing keys whose events must be parked by now, unless one of the processes has finished them. */
  parkedKeys(): string[] {
    const before = this.now() - PARKING_MS;
    return [...this.groups.values()].flatMap((entries) =>
      [...entries].flatMap(([key, { outcome, at }]) =>
        outcome === 'failed' && at <= before ? key : [],
      ),
    );
  }

  /** Forgets the outcomes of these keys; their organisations stay known. */
  forget(keys: readonly string[]): void {
    for (const entries of this.groups.values()) for (const key of keys) entries.delete(key);
  }

  get size(): number {
    let size = 0;
    for (const entries of this.groups.values()) size += entries.size;
    return size;
  }

  clear(): void {
    for (const entries of this.groups.values()) entries.clear();
  }

  private count(entries: ReadonlyMap<string, Entry>) {
    let [failing, others] = [0, 0];
    for (const { outcome, at } of entries.values()) {
      if (outcome !== 'failed' && this.now() - at >= FINAL_MS) continue;
      if (outcome === 'succeeded') others += 1;
      else failing += 1;
    }
    return { failing, others };
  }
}

/** Sets an entry as the newest and drops the oldest beyond the limit. */
function moveToEnd<T>(entries: Map<string, T>, key: string, value: T, limit: number): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size <= limit) return;
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}
