interface Request {
  /** Equal for requests that repeat each other. */
  key: string;
  bodyHash: string;
}

interface Running {
  bodyHash: string;
  /** Answer or error of the request. */
  result: Promise<unknown>;
}

/** Requests of this process that are having their effect, one for each key. */
export class RunningRequests {
  private readonly running = new Map<string, Running>();

  find(key: string): Running | undefined {
    return this.running.get(key);
  }

  /** Runs the work; until it ends, {@link find} returns it. */
  async run<T>({ key, bodyHash }: Request, work: () => Promise<T>): Promise<T> {
    const result = work();
    this.running.set(key, { bodyHash, result });
    try {
      return await result;
    } finally {
      this.running.delete(key);
    }
  }
}
