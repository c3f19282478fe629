import { TimeoutError, withTimeout } from '@bascule/process';

/**
 * Bounds how long work may take, and how much of it may wait at a time for what did not answer in time before: one
 * silent chain takes no slots from the others for longer than that.
 */
export class LegSlotsWorker {
  private readonly silent = new Set<string>();
  private waiting = 0;

  constructor(
    private readonly deadlineMs: number,
    private readonly forSilent: number,
  ) {}

  /**
   * Work that is too slow goes on unattended: it must bear that somebody else does it again.
   * @param way what answers, or does not
   * @returns false when it was not begun, for want of a slot
   * @throws TimeoutError, or what the work throws
   */
  async run(way: string, work: () => Promise<void>): Promise<boolean> {
    const wasSilent = this.silent.has(way);
    if (wasSilent && this.waiting >= this.forSilent) return false;
    if (wasSilent) this.waiting += 1;
    let isSilent = false;
    try {
      await withTimeout(this.deadlineMs, work);
    } catch (error) {
      isSilent = error instanceof TimeoutError;
      throw error;
    } finally {
      if (wasSilent) this.waiting -= 1;
      if (isSilent) this.silent.add(way);
      else this.silent.delete(way);
    }
    return true;
  }
}
