import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

export interface TestDatabase {
  /** The superuser's URL of this database. */
  adminUrl: string;
  /** The same, with `search_path` set to a schema. */
  url(schema: string): string;
  drop(): Promise<void>;
}

/** An empty database of its own in the server that the integration project's set-up started. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env['TEST_POSTGRES_URL'];
  if (!serverUrl) throw new Error('TEST_POSTGRES_URL is unset: is this file an .int-spec.ts?');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runSql(serverUrl, `CREATE DATABASE ${name}`);
  const adminUrl = withPath(serverUrl, name);
  return {
    adminUrl,
    url: (schema) => `${adminUrl}?options=${encodeURIComponent(`-c search_path=${schema}`)}`,
    drop: () => runSql(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

function withPath(url: string, database: string): string {
  const result = new URL(url);
  result.pathname = `/${database}`;
  return result.href;
}

/** Runs one statement on a connection of its own. */
export async function runSql(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
