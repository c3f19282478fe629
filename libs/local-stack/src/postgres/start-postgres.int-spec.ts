import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort, PortInUseError } from '../ports.js';
import { removePostgres, startPostgres, stopPostgres } from './start-postgres.js';

const directory = mkdtempSync(join(tmpdir(), 'bascule-postgres-'));
const dataDir = join(directory, 'postgres');

const run = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
};

describe('startPostgres', () => {
  afterAll(async () => {
    await removePostgres(dataDir);
    rmSync(directory, { recursive: true, force: true });
  });

  it('starts a server, adopts a running one and keeps its data over a stop', async () => {
    const port = await freePort();
    const first = await startPostgres({ dataDir, port, password: 'a b@c' });
    expect(first.adopted).toBe(false);
    expect(await run(first.adminUrl, 'SHOW max_connections')).toEqual([{ max_connections: '200' }]);
    await run(first.adminUrl, 'CREATE TABLE kept AS SELECT 1 AS n');

    const second = await startPostgres({ dataDir, port, password: 'a b@c' });
    expect(second.adopted).toBe(true);
    await second.stop();
    await expect(run(first.adminUrl, 'SELECT 1')).rejects.toThrow();

    const elsewhere = await freePort();
    const third = await startPostgres({ dataDir, port: elsewhere, password: 'a b@c' });
    expect(third.adopted).toBe(false);
    expect(await run(third.adminUrl, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);

    const moved = await startPostgres({ dataDir, port, password: 'a b@c' });
    expect(moved.adopted).toBe(false);
    expect(await run(moved.adminUrl, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
    await stopPostgres(dataDir);
  });

  it('refuses a busy port with an error that contains it', async () => {
    const squatter = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
    try {
      const start = startPostgres({ dataDir: join(directory, 'other'), port });
      await expect(start).rejects.toThrow(PortInUseError);
      await expect(start).rejects.toThrow(`port ${port}`);
    } finally {
      squatter.close();
    }
  });
});
