import type { DataSource, EntityManager } from 'typeorm';
import type { CallBudget } from '../upstream/upstream.client.js';

export interface CallLimits {
  minute: number;
  month: number;
}

const TAKE = `
  INSERT INTO upstream_calls AS counted (upstream, period, since, calls)
  SELECT $1, $2, date_trunc($2, clock_timestamp(), 'UTC'), 1 WHERE $3 > 0
  ON CONFLICT (upstream, period) DO UPDATE SET
    since = excluded.since,
    calls = CASE WHEN counted.since = excluded.since THEN counted.calls + 1 ELSE 1 END
  WHERE counted.since <> excluded.since OR counted.calls < $3
  RETURNING calls`;

/** Call budget of a data source per minute and per calendar month (UTC), shared by all replicas. */
export class CallBudgetRepository implements CallBudget {
  constructor(
    private readonly dataSource: DataSource,
    private readonly upstream: string,
    private readonly limits: CallLimits,
  ) {}

  async take(): Promise<boolean> {
    try {
      await this.dataSource.transaction(async (manager) => {
        await this.count(manager, 'month');
        await this.count(manager, 'minute');
      });
      return true;
    } catch (error) {
      if (error instanceof Spent) return false;
      throw error;
    }
  }

  private async count(manager: EntityManager, period: keyof CallLimits): Promise<void> {
    const rows: unknown[] = await manager.query(TAKE, [this.upstream, period, this.limits[period]]);
    // Rolls back the count of the other period.
    if (rows.length === 0) throw new Spent();
  }
}

class Spent extends Error {}
