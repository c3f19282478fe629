const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Tracks paused topics: missing, or not writable for this service. Their rows stay in the outbox and are retried apart
 * from the others with growing backoff; order is kept per key within a topic.
 */
export class PausedTopics {
  private readonly paused = new Map<string, { pauseMs: number; dueAt: number }>();

  get names(): string[] {
    return [...this.paused.keys()];
  }

  has(topic: string): boolean {
    return this.paused.has(topic);
  }

  /** Pauses a topic, with growing backoff. */
  pause(topic: string): void {
    const last = this.paused.get(topic);
    const pauseMs =
      last === undefined ? FIRST_PAUSE_MS : Math.min(2 * last.pauseMs, LONGEST_PAUSE_MS);
    this.paused.set(topic, { pauseMs, dueAt: performance.now() + pauseMs });
  }

  isDue(topic: string): boolean {
    const { dueAt = Number.POSITIVE_INFINITY } = this.paused.get(topic) ?? {};
    return performance.now() >= dueAt;
  }

  resume(topic: string): void {
    this.paused.delete(topic);
  }
}
