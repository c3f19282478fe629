import { EVENT_LOG_SCHEMA, createEventLog } from '@bascule/messaging';
import { provisionSchema, type DatabaseConfig } from '@bascule/persistence';
import { randomBytes } from 'node:crypto';
import { createTestDatabase, runSql } from './test-database.js';

export interface ServiceDatabase {
  database: DatabaseConfig;
  /** The superuser's URL of the same database. */
  adminUrl: string;
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
  return {
    database: { url: url.href, directUrl: url.href, poolSize: 8, schema },
    adminUrl,
    drop: async () => {
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
