/** The offsets of one partition that were taken and not yet committed. */
export class OffsetWindow {
  /** In the order of the log; true once finished. */
  private readonly taken = new Map<bigint, boolean>();
  private next: bigint | null = null;

  /** False for an offset that was taken before: a redelivery while the first delivery is still here. */
  take(offset: bigint): boolean {
    if (this.next !== null && offset < this.next) return false;
    this.taken.set(offset, false);
    this.next = offset + 1n;
    return true;
  }

  /** The position up to which everything is finished, if this moved it. */
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
