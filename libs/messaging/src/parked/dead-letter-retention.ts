import type { ServiceContext } from '@bascule/process';
import type { DataSource } from 'typeorm';

/** How long one that was replayed or discarded can still be looked up. One that waits is never forgotten. */
const RETENTION_DAYS = 90;
const INTERVAL_MS = 60 * 60 * 1_000;

/** Forgets dead letters that were dealt with long ago. */
export class DeadLetterRetention {
  constructor(private readonly dataSource: DataSource) {}

  /** Every hour; several processes do no harm. */
  start(context: ServiceContext): void {
    const timer = setInterval(() => {
      this.apply().catch((err: unknown) => {
        context.logger.warn({ err }, 'forgetting old dead letters failed');
      });
    }, INTERVAL_MS);
    timer.unref();
    context.shutdown.add('intake', 'dead letter retention', () => {
      clearInterval(timer);
      return Promise.resolve();
    });
  }

  /** Returns how many went. */
  async apply(): Promise<number> {
    const [, removed]: [unknown, number] = await this.dataSource.query(
      `DELETE FROM dead_letters WHERE coalesce(replayed_at, discarded_at) < now() - $1 * interval '1 day'`,
      [RETENTION_DAYS],
    );
    return removed;
  }
}
