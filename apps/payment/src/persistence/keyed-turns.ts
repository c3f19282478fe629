/** Runs work of one key one after the other, and of different keys concurrently. */
export class KeyedTurns {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const previous = this.last.get(key);
    const turn = previous === undefined ? work() : previous.then(work, work);
    this.last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.last.get(key) === turn) this.last.delete(key);
    }
  }
}
