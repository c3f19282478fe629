import { createDataSource } from '@bascule/persistence';
import {
  createServiceDatabase,
  poolerFor,
  type ServiceDatabase,
  type TestPooler,
} from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { preparedQuery } from './prepared-query.repository.js';

const STATEMENT = { name: 'echo', text: 'SELECT $1::int AS n, pg_sleep(0.001)' };
const RUNS = 60;

let service: ServiceDatabase;
let pooler: TestPooler;
beforeAll(async () => {
  service = await createServiceDatabase('payment');
  pooler = await poolerFor(service.database);
});
afterAll(async () => {
  await pooler.stop();
  await service.drop();
});

/** Numbers that the statement returned, and the names of statements that a session keeps afterwards. */
async function runOn(database: ServiceDatabase['database']) {
  const dataSource = await createDataSource({
    database,
    entities: [],
    migrations: [],
  }).initialize();
  try {
    return { numbers: await echoes(dataSource), kept: await statementsOf(dataSource) };
  } finally {
    await dataSource.destroy();
  }
}

/** Each third run is within a transaction. */
const echoes = (dataSource: DataSource): Promise<unknown[]> =>
  Promise.all(
    Array.from({ length: RUNS }, async (_, n) => {
      const [row] =
        n % 3 === 0
          ? await dataSource.transaction((manager) => preparedQuery(manager, STATEMENT, [n]))
          : await preparedQuery(dataSource, STATEMENT, [n]);
      return row;
    }),
  );

async function statementsOf(dataSource: DataSource): Promise<string[]> {
  const rows: { name: string }[] = await dataSource.query(
    'SELECT name FROM pg_prepared_statements',
  );
  return rows.map(({ name }) => name);
}

const numbers = Array.from({ length: RUNS }, (_, n) => ({ n, pg_sleep: '' }));

describe('a prepared query', () => {
  it('keeps its statement in the session', async () => {
    expect(await runOn(service.database)).toEqual({ numbers, kept: ['echo'] });
  });

  it('keeps nothing in the sessions of PgBouncer, which its runs share', async () => {
    expect(await runOn(pooler.database)).toEqual({ numbers, kept: [] });
  });

  it('is not prepared where the configuration says so', async () => {
    const database = { ...service.database, preparedStatements: false };
    expect(await runOn(database)).toEqual({ numbers, kept: [] });
  });
});
