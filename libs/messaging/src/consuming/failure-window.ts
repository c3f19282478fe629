export interface FailureWindowOptions {
  /** Failing keys from which a topic counts as failing. */
  minKeys: number;
  /** Organisations that these keys belong to, at least. */
  minGroups: number;
}

/** Newest groups with outcomes. */
const MAX_GROUPS = 100;
/** Time after which a success no longer speaks for a topic; a key fails until it succeeds. */
const SUCCESS_MS = 10 * 60_000;

interface Outcome {
  failed: boolean;
  at: number;
}

/**
 * Outcomes of the newest keys of a topic. No group counts for more keys than its share of the minimum, so that the keys
 * of one organisation neither pause a topic nor hide the failures of others.
 */
export class FailureWindow {
  private readonly groups = new Map<string, Map<string, Outcome>>();
  readonly perGroup: number;

  constructor(
    private readonly options: FailureWindowOptions,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.perGroup = Math.ceil(options.minKeys / options.minGroups);
  }

  record(group: string, key: string, failed: boolean): void {
    const outcomes = this.groups.get(group) ?? new Map<string, Outcome>();
    moveToEnd(this.groups, group, outcomes, MAX_GROUPS);
    moveToEnd(outcomes, key, { failed, at: this.now() }, this.perGroup);
  }

  /** Whether most keys fail. */
  isFailing(): boolean {
    let failing = 0;
    let succeeding = 0;
    for (const outcomes of this.groups.values()) {
      for (const { failed, at } of outcomes.values()) {
        if (failed) failing += 1;
        else if (this.now() - at < SUCCESS_MS) succeeding += 1;
      }
    }
    return failing >= this.options.minKeys && failing > succeeding;
  }

  get size(): number {
    let size = 0;
    for (const outcomes of this.groups.values()) size += outcomes.size;
    return size;
  }

  clear(): void {
    this.groups.clear();
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
