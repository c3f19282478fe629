import { createDataSource, runMigrationsOf } from '@bascule/persistence';
import { createServiceDatabase } from '@bascule/testing';
import type { ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FreezeTokens1799300000032 } from './migrations/freeze-tokens.migration.js';
import { PublishSenders1799200000000 } from './migrations/publish-senders.migration.js';
import { entities, migrations } from './persistence.config.js';

describe('migrations beside the version before', () => {
  let database: ServiceDatabase;
  beforeAll(async () => {
    database = await createServiceDatabase('payment');
  });
  afterAll(() => database.drop());

  const before = (end: (typeof migrations)[number]) => migrations.slice(0, migrations.indexOf(end));
  const options = { entities };
  const migrate = (some: typeof migrations) =>
    runMigrationsOf({ ...options, database: database.database, migrations: some });

  it('lock no payments while they wait for senders that a transaction holds', async () => {
    await migrate(before(PublishSenders1799200000000));
    const dataSource = createDataSource({ ...options, database: database.database, migrations });
    await dataSource.initialize();
    await dataSource.query(
      `INSERT INTO sender_screenings (id, payment_id, address, sanctioned)
       SELECT gen_random_uuid(), gen_random_uuid(), '0x01', true`,
    );
    const applied = await dataSource.transaction(async (manager) => {
      await manager.query('SELECT 1 FROM sender_screenings FOR UPDATE');
      return migrate(migrations.slice(0, migrations.indexOf(FreezeTokens1799300000032) + 1));
    });
    expect(applied).toContain('FreezeTokens1799300000032');
    await migrate(migrations);
    // Each process of the version before may still make the sender due, and handle it.
    const judged = 'SELECT judged_by FROM sender_screenings';
    expect(await dataSource.query(judged)).toEqual([{ judged_by: 0 }]);
    await dataSource.query('UPDATE sender_screenings SET judged_by = 1');
    await dataSource.query('UPDATE sender_screenings SET due_at = now()');
    await dataSource.query('UPDATE sender_screenings SET due_at = NULL');
    expect(await dataSource.query(judged)).toEqual([{ judged_by: 0 }]);
    await dataSource.destroy();
  });
});
