import { ServiceContext } from '@bascule/process';
import {
  createServiceDatabase,
  eventually,
  poolerFor,
  runSql,
  type ServiceDatabase,
  type TestPooler,
} from '@bascule/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source.js';
import type { DatabaseConfig } from './database-config.js';
import { closeConnection, connectDirectly, PoolerError } from './direct-connection.js';
import { openDatabase } from './open-database.js';
import { runMigrationsOf } from './run-migrations.js';

const SESSIONS = 2;
const CLIENTS = 8;

let service: ServiceDatabase;
let pooler: TestPooler;
const opened: { dataSource: DataSource; context: ServiceContext }[] = [];

beforeEach(async () => {
  service = await createServiceDatabase('pooled');
  pooler = await poolerFor(service.database, SESSIONS);
});
afterEach(async () => {
  for (const { dataSource, context } of opened.splice(0)) {
    await context.shutdown.run(20_000);
    if (dataSource.isInitialized) await dataSource.destroy();
  }
  await pooler.stop();
  await service.drop();
});

const role = () => new URL(service.database.url).username;
const databaseName = () => new URL(service.database.url).pathname.slice(1);

/** Starts as a service does; `outcome` resolves when it serves. */
function open(database: DatabaseConfig) {
  const context = new ServiceContext({ name: 'pooled', environment: 'test', logLevel: 'silent' });
  const dataSource = createDataSource({ database, entities: [], migrations: [] });
  opened.push({ dataSource, context });
  const outcome = openDatabase(dataSource, database, context).then(
    () => 'open',
    (error: Error) => error.message,
  );
  return { context, dataSource, outcome };
}

async function migratedAndOpen(): Promise<DataSource> {
  await runMigrationsOf({ database: pooler.database, entities: [], migrations: [] });
  const { dataSource, outcome } = open(pooler.database);
  expect(await outcome).toBe('open');
  return dataSource;
}

const settingsOf = (dataSource: DataSource): Promise<unknown[]> =>
  dataSource.query(
    `SELECT pg_backend_pid() AS pid, current_setting('search_path') AS path,
       current_setting('timezone') AS zone, current_setting('statement_timeout') AS statement,
       current_setting('lock_timeout') AS lock,
       current_setting('idle_in_transaction_session_timeout') AS idle, pg_sleep(0.01)`,
  );

describe('a service behind PgBouncer in transaction mode', () => {
  it('has all five settings in every session that its transactions share', async () => {
    const dataSource = await migratedAndOpen();
    const found = await Promise.all(
      Array.from({ length: 5 * CLIENTS }, () => settingsOf(dataSource)),
    );
    const sessions = found.flat() as { pid: number }[];
    expect(new Set(sessions.map(({ pid }) => pid)).size).toBe(SESSIONS);
    expect(new Set(sessions.map(({ pid: _, ...settings }) => JSON.stringify(settings)))).toEqual(
      new Set([
        JSON.stringify({
          path: 'pooled',
          zone: 'UTC',
          statement: '15s',
          lock: '5s',
          idle: '15s',
          pg_sleep: '',
        }),
      ]),
    );
  });

  it('ends a statement that waits for a lock longer than the lock timeout', async () => {
    const dataSource = await migratedAndOpen();
    await runSql(
      service.adminUrl,
      `ALTER ROLE ${role()} IN DATABASE ${databaseName()} SET lock_timeout = 50`,
    );
    await reconnect();
    const holder = await connectDirectly(service.database, 'test');
    await holder.query('BEGIN; LOCK TABLE leases');
    await expect(dataSource.query('SELECT * FROM leases')).rejects.toMatchObject({ code: '55P03' });
    await closeConnection(holder);
    expect(await dataSource.query('SELECT * FROM leases')).toEqual([]);
  });

  it('ends a statement that runs longer than the statement timeout', async () => {
    const dataSource = await migratedAndOpen();
    await runSql(
      service.adminUrl,
      `ALTER ROLE ${role()} IN DATABASE ${databaseName()} SET statement_timeout = 50`,
    );
    await reconnect();
    await expect(dataSource.query('SELECT pg_sleep(600)')).rejects.toMatchObject({ code: '57014' });
  });

  it('does not start without the settings, and names the SQL that gives them to the role', async () => {
    await runMigrationsOf({ database: pooler.database, entities: [], migrations: [] });
    await runSql(service.adminUrl, `ALTER ROLE ${role()} IN DATABASE ${databaseName()} RESET ALL`);
    const { context, outcome } = open(pooler.database);
    const statements = await eventually(async () => {
      const { ok, checks } = await context.health.evaluateReady();
      expect(ok).toBe(false);
      expect(checks['database']).toMatch(/statement_timeout is 0, not 15000/);
      return /Run: (.*); then RECONNECT/.exec(String(checks['database']))?.[1] ?? '';
    });
    expect(statements.match(/ALTER ROLE/g)).toHaveLength(4);
    await runSql(service.adminUrl, statements);
    await reconnect();
    expect(await outcome).toBe('open');
  });

  it('gets the settings from its migrations, where the role was provisioned by an older version', async () => {
    await runSql(service.adminUrl, `ALTER ROLE ${role()} IN DATABASE ${databaseName()} RESET ALL`);
    const dataSource = await migratedAndOpen();
    expect(await settingsOf(dataSource)).toMatchObject([{ path: 'pooled', statement: '15s' }]);
  });

  it('does not start without a direct URL, and names the variable', async () => {
    const { context } = open({ ...pooler.database, directUrl: pooler.database.url });
    await eventually(async () => {
      const { checks } = await context.health.evaluateReady();
      expect(checks['database']).toMatch(/is a connection pooler: set DATABASE_DIRECT_URL/);
    });
  });

  it('refuses direct connections that a pooler passes on', async () => {
    const lax = await poolerFor(service.database, SESSIONS, { ignored: ['options'] });
    const through = { ...service.database, directUrl: lax.database.url };
    try {
      await expect(connectDirectly(through, 'test')).rejects.toThrow(PoolerError);
      await expect(
        runMigrationsOf({ database: through, entities: [], migrations: [] }),
      ).rejects.toThrow(PoolerError);
    } finally {
      await lax.stop();
    }
  });

  it('refuses timeouts of one data source, which the pooler would lose', () => {
    const { database } = pooler;
    expect(() =>
      createDataSource({ database, entities: [], migrations: [], timeouts: { lockMs: 1 } }),
    ).toThrow('SET LOCAL');
  });
});

/** Ends the sessions that PgBouncer keeps, as RECONNECT does. */
const reconnect = () =>
  runSql(
    service.adminUrl,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE usename = '${role()}' AND state = 'idle' AND application_name NOT LIKE 'test%'`,
  );
