import { createServiceDatabase, type ServiceDatabase, TcpProxy } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from './data-source.js';
import { isDatabaseUnavailable } from './postgres-errors.js';

describe('a server that stops responding', () => {
  let service: ServiceDatabase;
  let proxy: TcpProxy;

  beforeAll(async () => {
    service = await createServiceDatabase('unresponsive');
    proxy = new TcpProxy(new URL(service.database.url));
    await proxy.open();
  });
  afterAll(async () => {
    await proxy.close();
    await service.drop();
  });

  it('counts as unavailable soon after the statement timeout, also within a transaction, and is used again afterwards', async () => {
    const dataSource = await createDataSource({
      database: {
        ...service.database,
        url: proxy.through(service.database.url),
        directUrl: proxy.through(service.database.directUrl),
        poolSize: 2,
      },
      entities: [],
      migrations: [],
      timeouts: { statementMs: 3_000 },
    }).initialize();
    const failures = dataSource.transaction(async (manager) => {
      await manager.query('SELECT 1');
      proxy.blackhole();
      await manager.query('SELECT 2');
    });
    const failure: unknown = await failures.then(
      () => null,
      (error: unknown) => error,
    );
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(await dataSource.query('SELECT 3 AS n')).toEqual([{ n: 3 }]);
    await dataSource.destroy();
  });
});
