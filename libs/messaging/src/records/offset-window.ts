/** Offsets of one partition in flight. */
export class OffsetWindow {
  /** Offsets in log order; true once finished. */
  private readonly taken = new Map<bigint, boolean>();
  private next: bigint | null = null;

  /** Adds an offset; false for a redelivered one. */
  take(offset: bigint): boolean {
    if (this.next !== null && offset < this.next) return false;
    this.taken.set(offset, false);
    this.next = offset + 1n;
    return true;
  }

  /** Marks an offset finished; returns the new commit position if it moved. */
  finish(offset: bigint): bigint | null {
    this.taken.set(offset, true);
    let position: bigint | null = null;
    for (const [taken, finished] of this.taken) {
      if (!finished) break;
      this.taken.delete(taken);
      position = taken + 1n;
    }
    return position;
  }

  get size(): number {
    return this.taken.size;
  }
}
