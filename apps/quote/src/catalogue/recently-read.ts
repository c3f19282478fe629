/** What cannot be read again is used for so long. */
const LONGEST_MS = 60_000;

/**
 * What was read lately. It is read again behind the requests' backs once it is older than `freshMs`, and waited for
 * when it is twice as old, unless reading failed lately. As long as its revision is the same, so is the object.
 */
export class RecentlyRead<T extends { revision: string }> {
  private last: { value: T; readAt: number } | undefined;
  private reading: Promise<T> | undefined;
  private isFailing = false;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly freshMs: number,
  ) {}

  async current(): Promise<T> {
    const { last } = this;
    const age = last ? Date.now() - last.readAt : Infinity;
    if (!last || age > LONGEST_MS) return this.readAgain();
    if (age <= this.freshMs) return last.value;
    const reading = this.readAgain().catch(() => last.value);
    return age > 2 * this.freshMs && !this.isFailing ? reading : last.value;
  }

  /** One reading at a time, whoever waits for it. */
  private readAgain(): Promise<T> {
    this.reading ??= this.readNow().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async readNow(): Promise<T> {
    const readAt = Date.now();
    try {
      const read = await this.read();
      const value = this.last?.value.revision === read.revision ? this.last.value : read;
      this.last = { value, readAt };
      this.isFailing = false;
      return value;
    } catch (error) {
      this.isFailing = true;
      throw error;
    }
  }
}
