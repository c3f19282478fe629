/**
 * What was read lately. It is read again behind the requests' backs once it is older than `freshMs`, and waited for
 * only when it is twice as old. As long as its revision is the same, so is the object.
 */
export class RecentlyRead<T extends { revision: string }> {
  private last: { value: T; readAt: number } | undefined;
  private reading: Promise<T> | undefined;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly freshMs: number,
  ) {}

  async current(): Promise<T> {
    const age = this.last ? Date.now() - this.last.readAt : Infinity;
    if (!this.last || age > 2 * this.freshMs) return this.readAgain();
    if (age > this.freshMs) this.readAgain().catch(() => undefined);
    return this.last.value;
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
    const read = await this.read();
    const value = this.last?.value.revision === read.revision ? this.last.value : read;
    this.last = { value, readAt };
    return value;
  }
}
