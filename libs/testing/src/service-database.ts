import { EVENT_LOG_SCHEMA, createEventLog } from '@bascule/messaging';
import { provisionSchema, type DatabaseConfig } from '@bascule/persistence';
import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { createTestDatabase, runSql } from './test-database.js';

export interface ServiceDatabase {
  database: DatabaseConfig;
  /** The superuser's URL of the same database. */
  adminUrl: string;
  /** The rows of a statement in the service's schema, on a connection that all statements of the test share. */
  rows<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** A database as a deployment provisions it: the service's schema, the event log, a role that sees no other. */
export async function createServiceDatabase(schema: string): Promise<ServiceDatabase> {
  const { adminUrl, drop } = await createTestDatabase();
  // Roles belong to the server: tests that run at the same time may not share one.
  const role = `bascule_${schema}_${randomBytes(4).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  await createEventLog(adminUrl);
  await provisionSchema(adminUrl, { schema, role, password, grantUsageOn: [EVENT_LOG_SCHEMA] });
  const url = new URL(adminUrl);
  url.username = role;
  url.password = password;
  const pool = new Pool({
    connectionString: url.href,
    options: `-c search_path=${schema}`,
    max: 1,
  });
  // A server that is taken away ends the session; the next statement opens another.
  pool.on('error', () => undefined);
  return {
    database: { url: url.href, directUrl: url.href, poolSize: 8, schema },
    adminUrl,
    rows: async <Row>(text: string, values?: unknown[]) =>
      (await pool.query(text, values)).rows as Row[],
    drop: async () => {
      if (!pool.ended) await pool.end();
      await drop();
      await runSql(serverUrl(adminUrl), `DROP ROLE IF EXISTS ${role}`);
    },
  };
}

function serverUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.pathname = '/postgres';
  return url.href;
}
