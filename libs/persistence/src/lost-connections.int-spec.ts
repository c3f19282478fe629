import { eventually, runSql } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Socket } from 'node:net';
import type { EntityManager, QueryRunner } from 'typeorm';
import { connectClient } from './connect-client.js';
import { connectDirectly } from './direct-connection.js';
import { isDatabaseUnavailable } from './postgres-errors.js';
import { runMigrationsOf } from './run-migrations.js';
import { persistenceFixture, type PersistenceFixture } from './testing/persistence.fixture.js';

let fixture: PersistenceFixture;
beforeAll(async () => {
  fixture = await persistenceFixture('lost_connections');
});
afterAll(() => fixture.close());

/** Ends every connection of the role of the schema in a state, as a restarting server does. */
const terminate = (state: 'idle' | 'idle in transaction'): Promise<unknown> =>
  runSql(
    fixture.adminUrl,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE usename = '${new URL(fixture.database.url).username}' AND state = '${state}'`,
  );
const terminateIdle = () => terminate('idle');

let migration: { started: () => void; finish: Promise<void> };
class WaitForTest1790000000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE waited (id int)');
    migration.started();
    await migration.finish;
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

describe('a connection that the server terminates while idle', () => {
  it('ends a client, whose next query fails, but not the process', async () => {
    const client = await connectClient({ connectionString: fixture.database.url });
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    await terminateIdle();
    await ended;
    await expect(client.query('SELECT 1')).rejects.toThrow();
    await client.end();
  });

  it('ends a direct connection, which emits `end`', async () => {
    const client = await connectDirectly(fixture.database, 'test');
    await client.query('LISTEN anything');
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    await terminateIdle();
    await ended;
    await expect(client.query('SELECT 1')).rejects.toThrow();
  });

  it('is replaced in a pool', async () => {
    const pids = async (): Promise<number | undefined> => {
      const rows: { pid: number }[] = await fixture.dataSource.query(
        'SELECT pg_backend_pid() AS pid',
      );
      return rows[0]?.pid;
    };
    const before = await pids();
    await terminateIdle();
    await eventually(async () => {
      expect(await pids()).not.toBe(before);
    });
  });

  it('makes the database unavailable to each later statement of its transaction', async () => {
    const statement = (manager: EntityManager) =>
      manager.query('SELECT 1').then(
        () => null,
        (error: unknown) => error,
      );
    const errors: unknown[] = [];
    const transaction = fixture.dataSource.transaction(async (manager) => {
      await manager.query('SELECT 1');
      await terminate('idle in transaction');
      await eventually(async () => {
        errors.push(await statement(manager));
        expect(errors.length).toBeGreaterThan(3);
      });
    });
    const failure = await transaction.catch((error: unknown) => error);
    const unavailable = [...errors.filter((error) => error !== null), failure];
    expect(unavailable.length).toBeGreaterThan(3);
    expect(unavailable.filter((error) => !isDatabaseUnavailable(error))).toEqual([]);
  });

  it('does not end a migration that holds its lock on it', async () => {
    let finish: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (finish = resolve));
    const started = new Promise<void>((resolve) => {
      migration = { started: resolve, finish: released };
    });
    const migrations = [WaitForTest1790000000000];
    const running = runMigrationsOf({ database: fixture.database, entities: [], migrations });
    await started;
    await terminateIdle();
    await eventually(async () => {
      const locks: unknown[] = await fixture.dataSource.query(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      expect(locks).toEqual([]);
    });
    finish();
    expect(await running).toEqual(['WaitForTest1790000000000']);
  });
});

describe('a peer that vanishes without closing the connection', () => {
  it('is probed by the server of a direct connection, which ends the session', async () => {
    const client = await connectDirectly(fixture.database, 'test');
    const { rows } = await client.query<{ name: string; setting: string }>(
      `SELECT name, setting FROM pg_settings WHERE name LIKE 'tcp\\_%' ORDER BY name`,
    );
    expect(rows).toEqual([
      { name: 'tcp_keepalives_count', setting: '3' },
      { name: 'tcp_keepalives_idle', setting: '10' },
      { name: 'tcp_keepalives_interval', setting: '5' },
      { name: 'tcp_user_timeout', setting: '20000' },
    ]);
    await client.end();
  });

  it('is probed by the client of every connection', async () => {
    const keepAlive = jest.spyOn(Socket.prototype, 'setKeepAlive');
    const client = await connectDirectly(fixture.database, 'test');
    await client.end();
    const pool = await fixture.anotherDataSource();
    await pool.query('SELECT 1');
    expect(keepAlive.mock.calls.length).toBeGreaterThan(1);
    for (const call of keepAlive.mock.calls) expect(call).toEqual([true, 10_000]);
    keepAlive.mockRestore();
  });
});
