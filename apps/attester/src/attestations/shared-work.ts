export class TooMuchWorkError extends Error {
  override readonly name = 'TooMuchWorkError';
}

/** Shares one run among concurrent calls with the same key, and limits the runs in flight. */
export class SharedWork<T> {
  private readonly inFlight = new Map<string, Promise<T>>();

  constructor(private readonly limit: number) {}

  /** @throws TooMuchWorkError at the limit */
  async do(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.inFlight.get(key);
    if (known) return known;
    if (this.inFlight.size >= this.limit) throw new TooMuchWorkError();
    const done = work().finally(() => this.inFlight.delete(key));
    this.inFlight.set(key, done);
    return done;
  }
}
