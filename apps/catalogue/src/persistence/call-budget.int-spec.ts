import { createDataSource, runMigrationsOf } from '@bascule/persistence';
import { createServiceDatabase, type ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { CallBudgetRepository } from './call-budget.repository.js';
import { entities, migrations } from './persistence.config.js';

describe('CallBudgetRepository', () => {
  let database: ServiceDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createServiceDatabase('catalogue');
    await runMigrationsOf({ database: database.database, entities, migrations });
    dataSource = createDataSource({ database: database.database, entities, migrations });
    await dataSource.initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const budget = (upstream: string, minute: number, month: number): CallBudgetRepository =>
    new CallBudgetRepository(dataSource, upstream, { minute, month });
  const granted = async (taken: Promise<boolean>[]): Promise<number> =>
    (await Promise.all(taken)).filter(Boolean).length;

  it('shares the monthly calls among all replicas', async () => {
    const replicas = [budget('monthly', 1_000, 5), budget('monthly', 1_000, 5)];
    const asked = Array.from({ length: 12 }, (_, index) => replicas[index % 2]?.take());
    expect(await granted(asked.flatMap((taken) => taken ?? []))).toBe(5);
    expect(await budget('monthly', 1_000, 5).take()).toBe(false);
    expect(await budget('monthly', 1_000, 6).take()).toBe(true);
  });

  it('does not charge the month for a call over the limit of the minute', async () => {
    await budget('both', 1_000, 100).take();
    await dataSource.query(
      `UPDATE upstream_calls SET calls = 1000, since = date_trunc('minute', clock_timestamp() + interval '1 h')
       WHERE upstream = 'both' AND period = 'minute'`,
    );
    // The next minute counts from one.
    expect(await budget('both', 1, 100).take()).toBe(true);
    expect(await budget('both', 0, 100).take()).toBe(false);
    const [month] = await dataSource.query<{ calls: number }[]>(
      `SELECT calls FROM upstream_calls WHERE upstream = 'both' AND period = 'month'`,
    );
    expect(month?.calls).toBe(2);
  });

  it('resets when a new month begins', async () => {
    await budget('renewed', 1_000, 1).take();
    expect(await budget('renewed', 1_000, 1).take()).toBe(false);
    await dataSource.query(
      `UPDATE upstream_calls SET since = since - interval '1 month' WHERE upstream = 'renewed'`,
    );
    expect(await budget('renewed', 1_000, 1).take()).toBe(true);
  });
});
