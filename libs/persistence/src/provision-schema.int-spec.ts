import { createTestDatabase, type TestDatabase } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { provisionSchema } from './provision-schema.js';

describe('provisionSchema', () => {
  let database: TestDatabase;
  const suffix = Math.random().toString(36).slice(2, 10);
  const provision = (schema: string) => ({
    schema,
    role: `bascule_${schema}_${suffix}`,
    password: `${schema}'s "password"`,
    grantUsageOn: ['shared_log'],
  });

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });

  async function asRole(schema: string): Promise<pg.Client> {
    const url = new URL(database.adminUrl);
    const client = new pg.Client({
      host: url.hostname,
      port: Number(url.port),
      database: url.pathname.slice(1),
      user: provision(schema).role,
      password: provision(schema).password,
    });
    await client.connect();
    return client;
  }

  it('can be repeated, also concurrently', async () => {
    await Promise.all(
      ['one', 'two', 'one', 'two', 'one'].map((schema) =>
        provisionSchema(database.adminUrl, provision(schema)),
      ),
    );
    await provisionSchema(database.adminUrl, provision('one'));
    const client = await asRole('one');
    const { rows } = await client.query<{ current_schema: string }>('SELECT current_schema()');
    await client.end();
    expect(rows).toEqual([{ current_schema: 'one' }]);
  });

  it('gives a role access to its own schema only', async () => {
    const one = await asRole('one');
    const two = await asRole('two');
    await one.query('CREATE TABLE secrets AS SELECT 1 AS n');
    await expect(two.query('SELECT * FROM one.secrets')).rejects.toThrow('permission denied');
    await expect(two.query('CREATE TABLE public.mine (n int)')).rejects.toThrow(
      'permission denied',
    );
    await Promise.all([one.end(), two.end()]);
  });

  it('shares the rows but not the structure of a granted schema', async () => {
    const admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
    await admin.query('CREATE TABLE shared_log.records (n int)');
    await admin.end();
    const client = await asRole('one');
    await client.query('INSERT INTO shared_log.records VALUES (1)');
    await expect(client.query('DROP TABLE shared_log.records')).rejects.toThrow('must be owner');
    await client.end();
  });

  it('refuses names that are not plain identifiers', async () => {
    await expect(
      provisionSchema(database.adminUrl, { schema: 'a"; DROP', role: 'x', password: 'y' }),
    ).rejects.toThrow('not a plain SQL identifier');
  });
});
