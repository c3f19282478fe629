import type { ServiceContext } from '@bascule/process';
import type { Subscription } from '../transport/transport.js';

export interface ConsumerWatchOptions {
  subscription: Pick<Subscription, 'state' | 'restart'>;
  context: ServiceContext;
  /** Longest time without a fetch while the broker answers; after half of it the consumer is restarted. */
  silentMs: number;
}

/** Checks per `silentMs`. */
const LOOKS = 30;

/**
 * Watchdog of the consumer. A consumer without a fetch although the broker answers is restarted in place; if that does
 * not help, the process is no longer live and ends. An unreachable broker and a standby member are not failures.
 */
export class ConsumerWatch {
  private quietSince = Date.now();
  private lookedAt = Date.now();
  private restarted = false;
  private dead = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ConsumerWatchOptions) {}

  start(): void {
    const { context } = this.options;
    this.lookedAt = Date.now();
    context.health.live(
      'consumer',
      () => !this.dead || 'no records were asked for lately, although the broker answers',
    );
    this.timer = setInterval(() => {
      this.look();
    }, this.everyMs);
    this.timer.unref();
    context.shutdown.add('intake', 'consumer watch', () => {
      clearInterval(this.timer);
      return Promise.resolve();
    });
  }

  private get everyMs(): number {
    return this.options.silentMs / LOOKS;
  }

  private look(): void {
    this.forgetStandstill();
    const { subscription, silentMs } = this.options;
    const { assigned, fetchedAt, brokerReachable } = subscription.state();
    if (!brokerReachable || !assigned) {
      this.goesOn(Date.now());
      return;
    }
    if (fetchedAt !== null && fetchedAt > this.quietSince) this.goesOn(fetchedAt);
    const silence = Date.now() - this.quietSince;
    if (silence >= silentMs) this.giveUp();
    else if (silence >= silentMs / 2) this.restart();
  }

  /** Restarts the clock after the whole process stood still (a suspended or overloaded machine). */
  private forgetStandstill(): void {
    const now = Date.now();
    const late = now - this.lookedAt - this.everyMs;
    if (late > this.everyMs) this.quietSince += late;
    this.lookedAt = now;
  }

  private goesOn(at: number): void {
    this.quietSince = at;
    this.restarted = false;
  }

  private restart(): void {
    if (this.restarted) return;
    this.restarted = true;
    const { subscription, context } = this.options;
    context.logger.error(
      'the consumer asks for nothing although the broker answers: restarting it',
    );
    subscription.restart().catch((err: unknown) => {
      context.logger.error({ err }, 'restarting the consumer failed');
    });
  }

  private giveUp(): void {
    if (this.dead) return;
    this.dead = true;
    this.options.context.failure.abort(
      new Error('the consumer asks for nothing although the broker answers, and was restarted'),
    );
  }
}
