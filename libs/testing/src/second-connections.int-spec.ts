import { createDataSource } from '@bascule/persistence';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { takeSecondConnections } from './second-connections.js';
import { createServiceDatabase, type ServiceDatabase } from './service-database.js';

describe('the check of connections', () => {
  let database: ServiceDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createServiceDatabase('connections');
    dataSource = await createDataSource({
      ...{ database: database.database, entities: [], migrations: [] },
    }).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('finds a query outside the manager of the transaction that runs it', async () => {
    await dataSource.transaction(async () => {
      await dataSource.query('SELECT 1');
    });
    expect(takeSecondConnections()).toEqual([
      expect.stringContaining('second-connections.int-spec.ts'),
    ]);
  });

  it('finds a transaction within a transaction, with an isolation level too', async () => {
    await dataSource.transaction('REPEATABLE READ', () =>
      dataSource.transaction((manager) => manager.query('SELECT 1')),
    );
    expect(takeSecondConnections()).toHaveLength(1);
  });

  it('accepts queries and savepoints of the manager, queries after it, and transactions beside it', async () => {
    await Promise.all(
      [1, 2].map(() =>
        dataSource.transaction((manager) =>
          manager.transaction((nested) => nested.query('SELECT 1')),
        ),
      ),
    );
    await dataSource.query('SELECT 1');
    expect(takeSecondConnections()).toEqual([]);
  });

  it('accepts work that a transaction started and that queries after its end', async () => {
    const end = Promise.withResolvers<undefined>();
    let later: Promise<unknown> = Promise.resolve();
    await dataSource.transaction(async (manager) => {
      later = end.promise.then(() => dataSource.query('SELECT 1'));
      await manager.query('SELECT 1');
    });
    end.resolve(undefined);
    await later;
    expect(takeSecondConnections()).toEqual([]);
  });
});
