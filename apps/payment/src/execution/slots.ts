/** The work took longer than it may; whatever it waits for, others go on meanwhile. */
export class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/**
 * Bounds how long work may take, and how much of it may wait at a time for what did not answer in time before: one
 * silent chain takes no slots from the others for longer than that.
 */
export class Slots {
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
   * @throws TooSlowError, or what the work throws
   */
  async run(way: string, work: () => Promise<void>): Promise<boolean> {
    const wasSilent = this.silent.has(way);
    if (wasSilent && this.waiting >= this.forSilent) return false;
    if (wasSilent) this.waiting += 1;
    let isSilent = false;
    try {
      await within(this.deadlineMs, work());
    } catch (error) {
      isSilent = error instanceof TooSlowError;
      throw error;
    } finally {
      if (wasSilent) this.waiting -= 1;
      if (isSilent) this.silent.add(way);
      else this.silent.delete(way);
    }
    return true;
  }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TooSlowError(`no answer within ${ms} ms`));
    }, ms);
  });
  try {
    await Promise.race([work, tooSlow]);
  } finally {
    clearTimeout(timer);
  }
}
