/** Most that one holder has at a time. */
export interface HolderLimit {
  holder: string;
  max: number;
}

/** Counts concurrent work by holder; those without any take no memory. */
export class ConcurrentPlaces {
  private readonly counts = new Map<string, number>();

  /**
   * Takes a place of each holder, which {@link leave} returns, or none of any.
   * @returns false where one of them has its most already
   */
  take(limits: readonly HolderLimit[]): boolean {
    if (limits.some(({ holder, max }) => this.countOf(holder) >= max)) return false;
    this.count(limits, 1);
    return true;
  }

  leave(limits: readonly HolderLimit[]): void {
    this.count(limits, -1);
  }

  private countOf(holder: string): number {
    return this.counts.get(holder) ?? 0;
  }

  private count(limits: readonly HolderLimit[], change: 1 | -1): void {
    for (const { holder } of limits) {
      const left = this.countOf(holder) + change;
      if (left === 0) this.counts.delete(holder);
      else this.counts.set(holder, left);
    }
  }
}
