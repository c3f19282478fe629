import { freePort, removePostgres, startPostgres, type LocalPostgres } from '@bascule/local-stack';
import { Reloadable } from '@bascule/process';
import { testCertificate } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataSource } from './data-source.js';
import { databaseConfig } from './database-config.js';
import { describeDatabaseError } from './describe-database-error.js';
import { closeConnection, connectDirectly } from './direct-connection.js';

const directory = mkdtempSync(join(tmpdir(), 'bascule-tls-'));
const dataDir = join(directory, 'postgres');
let server: LocalPostgres;

beforeAll(async () => {
  server = await startPostgres({
    dataDir,
    port: await freePort(),
    durable: false,
    tls: testCertificate,
  });
});
afterAll(async () => {
  await removePostgres(dataDir);
  rmSync(directory, { recursive: true, force: true });
});

const IS_ENCRYPTED = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';

function configured(query: string, tlsCa?: string) {
  const env = { DATABASE_URL: new Reloadable(`${server.adminUrl}${query}`), DATABASE_POOL_SIZE: 2 };
  return databaseConfig({ ...env, DATABASE_TLS_CA: tlsCa }, 'public');
}

async function connect(database: ReturnType<typeof configured>): Promise<unknown[]> {
  const dataSource = createDataSource({ database, entities: [], migrations: [] });
  await dataSource.initialize();
  const direct = await connectDirectly(database, 'test');
  try {
    const { rows } = await direct.query(IS_ENCRYPTED);
    return [...(await dataSource.query<unknown[]>(IS_ENCRYPTED)), ...(rows as unknown[])];
  } finally {
    await closeConnection(direct);
    await dataSource.destroy();
  }
}

describe('a Postgres that is reached by TLS', () => {
  it.each(['', '?sslmode=require', '?sslmode=disable'])(
    'is verified by the authority that DATABASE_TLS_CA names, whatever the URL says: "%s"',
    async (query) => {
      const found = await connect(configured(query, testCertificate.cert));
      expect(found).toEqual([{ ssl: true }, { ssl: true }]);
    },
  );

  it('is refused without a trusted certificate, with that reason', async () => {
    const database = configured('?sslmode=verify-full');
    const error: unknown = await connect(database).catch((reason: unknown) => reason);
    expect(describeDatabaseError(error, database)).toMatch(
      /SELF_SIGNED_CERT|self-signed certificate/,
    );
  });

  it('is reached without TLS only when the URL disables it', async () => {
    expect(await connect(configured(''))).toEqual([{ ssl: false }, { ssl: false }]);
  });
});
