import type { Logger } from '@bascule/process';
import { Gauge, type Registry } from 'prom-client';

const SLOW_MS = 60_000;

export interface HandledEvent {
  topic: string;
  key: string;
  id: string;
}

/**
 * Tracks running handlers and their start times. A handler that never returns blocks its key and the offsets of its
 * partition. It is reported but not cancelled, since its outcome would be unknown.
 */
export class RunningHandlers {
  private readonly running = new Set<{ topic: string; since: number }>();

  constructor(
    private readonly registry: Registry,
    private readonly logger: Logger,
    private readonly slowMs = SLOW_MS,
  ) {}

  register(): void {
    const ages = (): Map<string, number> => this.oldestSeconds();
    new Gauge({
      name: 'messaging_oldest_handler_seconds',
      help: 'Age of the oldest running handler of a topic.',
      labelNames: ['topic'],
      registers: [this.registry],
      collect(): void {
        this.reset();
        for (const [topic, seconds] of ages()) this.set({ topic }, seconds);
      },
    });
  }

  async watch<T>({ topic, key, id }: HandledEvent, handle: () => Promise<T>): Promise<T> {
    const run = { topic, since: performance.now() };
    const slow = setTimeout(() => {
      this.logger.warn(
        { topic, key, event: id, seconds: this.slowMs / 1_000 },
        'handler still running',
      );
    }, this.slowMs);
    slow.unref();
    this.running.add(run);
    try {
      return await handle();
    } finally {
      clearTimeout(slow);
      this.running.delete(run);
    }
  }

  /** Running handlers in order of their start: the first of a topic is its oldest. */
  private oldestSeconds(): Map<string, number> {
    const oldest = new Map<string, number>();
    for (const { topic, since } of this.running) {
      if (!oldest.has(topic)) oldest.set(topic, (performance.now() - since) / 1_000);
    }
    return oldest;
  }
}
