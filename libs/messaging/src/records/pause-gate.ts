const FIRST_MS = 200;
const LONGEST_MS = 5_000;

export class StoppedError extends Error {
  constructor() {
    super('consuming has stopped');
    this.name = 'StoppedError';
  }
}

/** Holds back all handlers of a consumer while the infrastructure is away, longer each time. */
export class PauseGate {
  private readonly waiters = new Set<() => void>();
  private timer: NodeJS.Timeout | undefined;
  private pauseMs = FIRST_MS;
  private stopped = false;

  get isPaused(): boolean {
    return this.timer !== undefined;
  }

  /** @throws StoppedError */
  async pass(): Promise<void> {
    while (this.timer !== undefined && !this.stopped) {
      await new Promise<void>((resolve) => this.waiters.add(resolve));
    }
    if (this.stopped) throw new StoppedError();
  }

  /** Several failures during one pause are one pause. */
  pause(): void {
    if (this.timer !== undefined || this.stopped) return;
    this.timer = setTimeout(() => {
      this.open();
    }, this.pauseMs);
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_MS);
  }

  /** Something worked: the next pause is short again. */
  succeeded(): void {
    this.pauseMs = FIRST_MS;
  }

  stop(): void {
    this.stopped = true;
    this.open();
  }

  private open(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const waiter of this.waiters) waiter();
    this.waiters.clear();
  }
}
