export class TooMuchWorkError extends Error {
  override readonly name = 'TooMuchWorkError';
}

/** Work that is asked for again while it is being done is done once, and only so much is done at a time. */
export class SharedWork<T> {
  private readonly underWay = new Map<string, Promise<T>>();

  constructor(private readonly limit: number) {}

  /** @throws TooMuchWorkError when other work has to end first */
  async do(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.underWay.get(key);
    if (known) return known;
    if (this.underWay.size >= this.limit) throw new TooMuchWorkError();
    const done = work().finally(() => this.underWay.delete(key));
    this.underWay.set(key, done);
    return done;
  }
}
