import { TimeoutError, withTimeout } from '@bascule/process';

/**
 * A bulkhead: bounds the duration of work, and the concurrency of work that timed out before, so that one slow chain
 * does not take the slots of the others.
 */
export class LegSlotsWorker {
  private readonly slow = new Set<string>();
  private waiting = 0;

  constructor(
    private readonly deadlineMs: number,
    private readonly forSlow: number,
  ) {}

  /**
   * Work that exceeds the deadline continues in the background, so it must be idempotent.
   * @param way key of the chains that the work depends on
   * @returns false where no slot was free
   * @throws TimeoutError, or what the work throws
   */
  async run(way: string, work: () => Promise<void>): Promise<boolean> {
    const wasSlow = this.slow.has(way);
    if (wasSlow && this.waiting >= this.forSlow) return false;
    if (wasSlow) this.waiting += 1;
    let isSlow = false;
    try {
      await withTimeout(this.deadlineMs, work);
    } catch (error) {
      isSlow = error instanceof TimeoutError;
      throw error;
    } finally {
      if (wasSlow) this.waiting -= 1;
      if (isSlow) this.slow.add(way);
      else this.slow.delete(way);
    }
    return true;
  }
}
