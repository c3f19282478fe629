import { ServiceContext } from '@bascule/process';
import {
  createServiceDatabase,
  eventually,
  runSql,
  type ServiceDatabase,
  TcpProxy,
} from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource, type MigrationClass } from './data-source.js';
import type { DatabaseConfig } from './database-config.js';
import { ForwardMigration } from './forward-migration.js';
import { openDatabase } from './open-database.js';
import { runMigrationsOf } from './run-migrations.js';

class CreateNotes1760000000300 extends ForwardMigration {
  override async up(queryRunner: Parameters<ForwardMigration['up']>[0]): Promise<void> {
    await queryRunner.query('CREATE TABLE notes (id uuid PRIMARY KEY)');
  }
}
class CreateLater1760000000301 extends CreateNotes1760000000300 {
  override async up(queryRunner: Parameters<ForwardMigration['up']>[0]): Promise<void> {
    await queryRunner.query('CREATE TABLE later (id uuid PRIMARY KEY)');
  }
}

describe('a service whose database is not ready', () => {
  let service: ServiceDatabase;
  let proxy: TcpProxy;
  const opened: { dataSource: DataSource; context: ServiceContext }[] = [];

  beforeAll(async () => {
    service = await createServiceDatabase('notes');
    proxy = new TcpProxy(new URL(service.adminUrl));
    await proxy.open();
  });
  afterEach(async () => {
    for (const { dataSource, context } of opened.splice(0)) {
      await context.shutdown.run(20_000);
      if (dataSource.isInitialized) await dataSource.destroy();
    }
  });
  afterAll(async () => {
    await proxy.close();
    await service.drop();
  });

  const through = (change: (url: URL) => void = () => undefined): DatabaseConfig => {
    const url = new URL(service.database.url);
    url.port = String(proxy.port);
    url.hostname = '127.0.0.1';
    change(url);
    return { ...service.database, url: url.href, directUrl: url.href };
  };

  function open(database: DatabaseConfig, migrations: MigrationClass[]) {
    const context = new ServiceContext({ name: 'notes', environment: 'test', logLevel: 'silent' });
    const dataSource = createDataSource({ database, entities: [], migrations });
    opened.push({ dataSource, context });
    const outcome = openDatabase(dataSource, database, context).then(
      () => 'open',
      (error: Error) => error.message,
    );
    return { context, outcome };
  }

  const says = (context: ServiceContext, checks: Record<string, unknown>) =>
    eventually(async () => {
      expect(await context.health.evaluateReady()).toMatchObject({ ok: false, checks });
    });

  it('names the pending migrations and continues when they have run', async () => {
    const { context, outcome } = open(through(), [CreateNotes1760000000300]);
    await says(context, {
      database: true,
      schema: '2 of 2 migrations are pending, beginning with CreateLeases1760000000000',
    });
    await runMigrationsOf({
      database: service.database,
      entities: [],
      migrations: [CreateNotes1760000000300],
    });
    expect(await outcome).toBe('open');
    expect(await context.health.evaluateReady()).toEqual({
      ok: true,
      checks: { database: true, schema: true },
    });
  });

  it('works on a schema that is newer than its version, as a restarted old replica must', async () => {
    await runMigrationsOf({
      database: service.database,
      entities: [],
      migrations: [CreateNotes1760000000300, CreateLater1760000000301],
    });
    const { context, outcome } = open(through(), [CreateNotes1760000000300]);
    expect(await outcome).toBe('open');
    expect((await context.health.evaluateReady()).ok).toBe(true);
  });

  it('waits for an unavailable server at its start, and reports its address', async () => {
    await proxy.close();
    const { context, outcome } = open(through(), [
      CreateNotes1760000000300,
      CreateLater1760000000301,
    ]);
    await says(context, { database: `no answer from 127.0.0.1:${proxy.port} (ECONNREFUSED)` });
    await proxy.open();
    expect(await outcome).toBe('open');
    await proxy.close();
    await says(context, { database: expect.stringContaining(`no answer from 127.0.0.1`) });
    await proxy.open();
    await eventually(async () => {
      expect((await context.health.evaluateReady()).ok).toBe(true);
    });
  });

  it('can be stopped while it waits', async () => {
    const { context, outcome } = open(
      through((url) => (url.pathname = '/nowhere')),
      [],
    );
    await says(context, { database: expect.stringContaining('nowhere') });
    await context.shutdown.run(20_000);
    expect(await outcome).toBe('stopped while waiting for the database');
  });

  it('reports a wrong password, and continues when it is corrected', async () => {
    const wrong = through((url) => (url.password = 'wrong'));
    const role = new URL(wrong.url).username;
    const { context, outcome } = open(wrong, [CreateNotes1760000000300, CreateLater1760000000301]);
    await says(context, { database: `password authentication failed for user "${role}"` });
    await runSql(service.adminUrl, `ALTER ROLE ${role} PASSWORD 'wrong'`);
    expect(await outcome).toBe('open');
  });
});
