export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
}

/** Shares one run among concurrent calls with the same key, and limits the runs in flight. */
export class SingleFlight<T> {
  private readonly inFlight = new Map<string, Promise<T>>();

  constructor(private readonly limit: number) {}

  /** @throws OverloadedError at the limit */
  async do(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.inFlight.get(key);
    if (known) return known;
    if (this.inFlight.size >= this.limit) throw new OverloadedError();
    const done = work().finally(() => this.inFlight.delete(key));
    this.inFlight.set(key, done);
    return done;
  }
}
