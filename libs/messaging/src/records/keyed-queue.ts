type Task = () => Promise<void>;

/** Runs tasks of one key in order and of different keys concurrently, up to a limit. */
export class KeyedQueue {
  private readonly waiting = new Map<string, Task[]>();
  private readonly ready: string[] = [];
  private running = 0;

  constructor(private readonly concurrency: number) {}

  /** A task never rejects. */
  add(key: string, task: Task): void {
    const queue = this.waiting.get(key);
    if (queue !== undefined) {
      queue.push(task);
      return;
    }
    this.waiting.set(key, [task]);
    this.ready.push(key);
    this.startReady();
  }

  private startReady(): void {
    while (this.running < this.concurrency) {
      const key = this.ready.shift();
      if (key === undefined) return;
      this.running += 1;
      void this.runNext(key);
    }
  }

  /** Runs one task of a key, then puts the key behind the other ready keys. */
  private async runNext(key: string): Promise<void> {
    const queue = this.waiting.get(key) ?? [];
    await queue[0]?.();
    queue.shift();
    if (queue.length === 0) this.waiting.delete(key);
    else this.ready.push(key);
    this.running -= 1;
    this.startReady();
  }
}
