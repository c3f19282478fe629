import type { ServiceContext } from '@bascule/process';
import type { DataSource } from 'typeorm';

/** Retention of replayed and discarded dead letters; waiting ones are kept. */
const RETENTION_DAYS = 90;
const INTERVAL_MS = 60 * 60 * 1_000;

/** Deletes dead letters that were resolved before the retention. */
export class DeadLetterRetention {
  constructor(private readonly dataSource: DataSource) {}

  /** Applies the retention every hour; concurrent processes are harmless. */
  start(context: ServiceContext): void {
    const timer = setInterval(() => {
      this.apply().catch((err: unknown) => {
        context.logger.warn({ err }, 'dead letter retention failed');
      });
    }, INTERVAL_MS);
    timer.unref();
    context.shutdown.add('intake', 'dead letter retention', () => {
      clearInterval(timer);
      return Promise.resolve();
    });
  }

  /** Returns the number of deleted rows. */
  async apply(): Promise<number> {
    const [, removed]: [unknown, number] = await this.dataSource.query(
      `DELETE FROM dead_letters WHERE coalesce(replayed_at, discarded_at) < now() - $1 * interval '1 day'`,
      [RETENTION_DAYS],
    );
    return removed;
  }
}
