import { Reloadable } from '@bascule/process';
import { createServiceDatabase, runSql, type ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDataSource } from './data-source.js';
import { databaseConfig } from './database-config.js';
import { closeConnection, connectDirectly } from './direct-connection.js';

let service: ServiceDatabase;
beforeAll(async () => {
  service = await createServiceDatabase('notes');
});
afterAll(() => service.drop());

it('connects with a new password, while the connections of the old one go on', async () => {
  const urls = new Reloadable(service.database.url);
  const database = databaseConfig({ DATABASE_URL: urls, DATABASE_POOL_SIZE: 2 }, 'notes');
  const dataSource = createDataSource({ database, entities: [], migrations: [] });
  await dataSource.initialize();
  const early = dataSource.createQueryRunner();
  const late = dataSource.createQueryRunner();
  try {
    await early.connect();
    const changed = new URL(service.database.url);
    await runSql(service.adminUrl, `ALTER ROLE ${changed.username} PASSWORD 'changed'`);
    await expect(dataSource.query('SELECT 1')).rejects.toThrow('password authentication failed');
    changed.password = 'changed';
    urls.replace(changed.href);
    await late.connect();
    for (const runner of [early, late]) {
      expect(await runner.query('SELECT current_user AS role')).toEqual([
        { role: changed.username },
      ]);
    }
    await closeConnection(await connectDirectly(database, 'test'));
  } finally {
    await early.release();
    await late.release();
    await dataSource.destroy();
  }
});
