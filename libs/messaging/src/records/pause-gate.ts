const FIRST_MS = 200;
const LONGEST_MS = 5_000;

export class StoppedError extends Error {
  constructor() {
    super('consuming has stopped');
    this.name = 'StoppedError';
  }
}

/** Pauses all handlers of a consumer with exponential backoff while infrastructure is unavailable. */
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

  /** Starts a pause; further failures during it are ignored. */
  pause(): void {
    if (this.timer !== undefined || this.stopped) return;
    this.timer = setTimeout(() => {
      this.open();
    }, this.pauseMs);
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_MS);
  }

  /** Resets the backoff. */
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
