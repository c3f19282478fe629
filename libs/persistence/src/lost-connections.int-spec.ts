import { eventually, runSql } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import { connectClient } from './connect-client.js';
import { connectDirectly } from './direct-connection.js';
import { runMigrationsOf } from './run-migrations.js';
import { persistenceFixture, type PersistenceFixture } from './testing/persistence.fixture.js';

let fixture: PersistenceFixture;
beforeAll(async () => {
  fixture = await persistenceFixture('lost_connections');
});
afterAll(() => fixture.close());

/** Ends every idle connection of the role of the schema, as a restarting server does. */
const terminateIdle = (): Promise<unknown> =>
  runSql(
    fixture.adminUrl,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE usename = '${new URL(fixture.database.url).username}' AND state = 'idle'`,
  );

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
