/** Lag from which a scan counts as behind. */
const BEHIND_MS = 60_000;
const WARNING_MS = 60_000;

/**
 * Lag of a scan behind the head of its chain: the time since the head was read to which the newest complete pass came. It
 * grows while a pass takes long, does not reach the head, or fails. All times are of one monotonic clock.
 */
export class ScanLag {
  /** Null where another replica scans. */
  private atHead: number | null = null;
  private warnedAt = -Infinity;

  passBegan(now: number): void {
    this.atHead ??= now;
  }

  /** @param began start of the pass, before which its head was not read */
  headReached(began: number): void {
    this.atHead = began;
  }

  /** Another replica scans. */
  stop(): void {
    this.atHead = null;
  }

  msAt(now: number): number | null {
    return this.atHead === null ? null : now - this.atHead;
  }

  /** Whether to warn now: while the scan is behind, once a minute. */
  shouldWarn(now: number): boolean {
    if ((this.msAt(now) ?? 0) <= BEHIND_MS || now - this.warnedAt < WARNING_MS) return false;
    this.warnedAt = now;
    return true;
  }
}
