import { type HealthResult, type ServiceContext, WakeSignal } from '@bascule/process';
import type { Subscription } from '../transport/transport.js';
import { errorReason } from '../errors/error-reason.js';

const POLL_MS = 200;

/**
 * Ready once the consumer joined its group and caught up to the end offsets of that time, except in paused topics; a
 * later disconnect is only a metric.
 */
export class ConsumerReadiness {
  private state: HealthResult = 'consumer group not joined yet';
  private targets: Map<string, bigint> | undefined;
  private readonly signal = new WakeSignal();

  constructor(
    private readonly subscription: Subscription,
    private readonly context: ServiceContext,
    private readonly isPaused: (topic: string) => boolean,
  ) {}

  start(): void {
    const { health, shutdown } = this.context;
    health.ready('events', () => this.state);
    shutdown.stopping.addEventListener('abort', () => {
      this.signal.wake();
    });
    void this.run();
  }

  private async run(): Promise<void> {
    while (this.state !== true && !this.context.shutdown.stopping.aborted) {
      this.state = await this.check().catch(errorReason);
      if (this.state !== true) await this.signal.wait(POLL_MS);
    }
  }

  private async check(): Promise<HealthResult> {
    if (!this.subscription.state().joined) return 'consumer group not joined yet';
    const progress = await this.subscription.progress();
    this.targets ??= new Map(progress.map((p) => [`${p.topic}/${p.partition}`, p.end]));
    const behind = progress.filter(
      (p) =>
        p.committed < (this.targets?.get(`${p.topic}/${p.partition}`) ?? 0n) &&
        !this.isPaused(p.topic),
    );
    return behind.length === 0 || 'catching up with events';
  }
}
