import { createServiceDatabase, type ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from './data-source.js';
import { isDatabaseUnavailable } from './postgres-errors.js';
import { Road } from './testing/road.fixture.js';

describe('a server that vanishes without a word', () => {
  let service: ServiceDatabase;
  let road: Road;

  beforeAll(async () => {
    service = await createServiceDatabase('silence');
    road = new Road(new URL(service.database.url));
    await road.open();
  });
  afterAll(async () => {
    await road.close();
    await service.drop();
  });

  it('is unavailable soon after the longest statement, also within a transaction, and used again afterwards', async () => {
    const url = new URL(service.database.url);
    url.hostname = '127.0.0.1';
    url.port = String(road.port);
    const dataSource = await createDataSource({
      database: { ...service.database, url: url.href, poolSize: 2 },
      entities: [],
      migrations: [],
      timeouts: { statementMs: 3_000 },
    }).initialize();
    const failures = dataSource.transaction(async (manager) => {
      await manager.query('SELECT 1');
      road.swallow();
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
