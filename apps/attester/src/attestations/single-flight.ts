export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
}

/** Runs in flight at most: all, and those without a reserved place among them. */
interface Places {
  all: number;
  unreserved: number;
}

/** Shares one run among concurrent calls with the same key, and limits the runs in flight. */
export class SingleFlight<T> {
  private readonly inFlight = new Map<string, Promise<T>>();
  private unreserved = 0;

  constructor(private readonly places: Places) {}

  /**
   * @param isReserved takes any place
   * @throws OverloadedError at the limit
   */
  async do(key: string, work: () => Promise<T>, isReserved = false): Promise<T> {
    const known = this.inFlight.get(key);
    if (known) return known;
    const isFull = !isReserved && this.unreserved >= this.places.unreserved;
    if (isFull || this.inFlight.size >= this.places.all) throw new OverloadedError();
    if (!isReserved) this.unreserved += 1;
    const done = work().finally(() => {
      this.inFlight.delete(key);
      if (!isReserved) this.unreserved -= 1;
    });
    this.inFlight.set(key, done);
    return done;
  }
}
