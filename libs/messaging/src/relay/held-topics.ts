const FIRST_MS = 1_000;
const LONGEST_MS = 15_000;

/**
 * Paused topics: missing, or not writable for this service. Their rows stay in the outbox and are retried apart from the
 * others' with growing backoff; order is kept per key within a topic.
 */
export class HeldTopics {
  private readonly held = new Map<string, { pauseMs: number; dueAt: number }>();

  get names(): string[] {
    return [...this.held.keys()];
  }

  has(topic: string): boolean {
    return this.held.has(topic);
  }

  /** Pauses a topic, with growing backoff. */
  hold(topic: string): void {
    const last = this.held.get(topic);
    const pauseMs = last === undefined ? FIRST_MS : Math.min(2 * last.pauseMs, LONGEST_MS);
    this.held.set(topic, { pauseMs, dueAt: performance.now() + pauseMs });
  }

  isDue(topic: string): boolean {
    const { dueAt = Number.POSITIVE_INFINITY } = this.held.get(topic) ?? {};
    return performance.now() >= dueAt;
  }

  release(topic: string): void {
    this.held.delete(topic);
  }
}
