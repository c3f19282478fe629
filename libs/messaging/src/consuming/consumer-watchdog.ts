import type { ServiceContext } from '@bascule/process';
import type { Subscription } from '../transport/transport.js';

export interface ConsumerWatchdogOptions {
  subscription: Pick<Subscription, 'state' | 'restart'>;
  context: ServiceContext;
  /** Longest time without a fetch from a reachable broker; after half of it the consumer is restarted. */
  stallTimeoutMs: number;
}

/** Checks per `stallTimeoutMs`. */
const CHECKS = 30;

/**
 * Restarts a consumer in place that does not fetch from a reachable broker; if that does not help, the process ends.
 * An unreachable broker and a standby member are not failures.
 */
export class ConsumerWatchdog {
  private lastProgressAt = Date.now();
  private checkedAt = Date.now();
  private restarted = false;
  private failed = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ConsumerWatchdogOptions) {}

  start(): void {
    const { context } = this.options;
    this.checkedAt = Date.now();
    context.health.live(
      'consumer',
      () => !this.failed || 'no fetch lately although the broker is reachable',
    );
    this.timer = setInterval(() => {
      this.check();
    }, this.intervalMs);
    this.timer.unref();
    context.shutdown.add('intake', 'consumer watchdog', () => {
      clearInterval(this.timer);
      return Promise.resolve();
    });
  }

  private get intervalMs(): number {
    return this.options.stallTimeoutMs / CHECKS;
  }

  private check(): void {
    this.ignoreSuspendedTime();
    const { subscription, stallTimeoutMs } = this.options;
    const { assigned, fetchedAt, brokerReachable } = subscription.state();
    if (!brokerReachable || !assigned) {
      this.recordProgress(Date.now());
      return;
    }
    if (fetchedAt !== null && fetchedAt > this.lastProgressAt) this.recordProgress(fetchedAt);
    const stalledMs = Date.now() - this.lastProgressAt;
    if (stalledMs >= stallTimeoutMs) this.fail();
    else if (stalledMs >= stallTimeoutMs / 2) this.restart();
  }

  /** Excludes time in which the whole process was suspended or overloaded. */
  private ignoreSuspendedTime(): void {
    const now = Date.now();
    const suspendedMs = now - this.checkedAt - this.intervalMs;
    if (suspendedMs > this.intervalMs) this.lastProgressAt += suspendedMs;
    this.checkedAt = now;
  }

  private recordProgress(at: number): void {
    this.lastProgressAt = at;
    this.restarted = false;
  }

  private restart(): void {
    if (this.restarted) return;
    this.restarted = true;
    const { subscription, context } = this.options;
    context.logger.error('consumer stalled: restarting');
    subscription.restart().catch((err: unknown) => {
      context.logger.error({ err }, 'consumer restart failed');
    });
  }

  private fail(): void {
    if (this.failed) return;
    this.failed = true;
    this.options.context.failure.abort(
      new Error('consumer stalled although the broker is reachable, also after a restart'),
    );
  }
}
