import { setTimeout as delay } from 'node:timers/promises';
import { connectClient } from './connect-client.js';
import { identifier, literal } from './identifiers.js';
import { postgresError } from './postgres-errors.js';
import { roleStatements, sessionSettings } from './session-settings.js';

export interface SchemaProvision {
  schema: string;
  role: string;
  password: string;
  /** Schemas of the deployment whose tables the role may read and write, e.g. the embedded event log. */
  grantUsageOn?: string[];
}

/** Creates a schema and a role that sees it alone, with the settings of its sessions. Idempotent, also concurrently. */
export async function provisionSchema(adminUrl: string, provision: SchemaProvision): Promise<void> {
  const client = await connectClient({ connectionString: adminUrl });
  try {
    for (const statement of statements(provision, client.database ?? 'postgres')) {
      await retryingCatalogueRaces(() => client.query(statement));
    }
  } finally {
    await client.end();
  }
}

function statements(provision: SchemaProvision, database: string): string[] {
  const role = identifier(provision.role);
  const schema = identifier(provision.schema);
  const databaseName = `"${database.replaceAll('"', '""')}"`;
  return [
    `DO $$ BEGIN
       IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${literal(provision.role)}) THEN
         CREATE ROLE ${role} LOGIN;
       END IF;
     END $$`,
    `ALTER ROLE ${role} LOGIN PASSWORD ${literal(provision.password)}`,
    `REVOKE ALL ON DATABASE ${databaseName} FROM PUBLIC`,
    `REVOKE ALL ON SCHEMA public FROM PUBLIC`,
    `GRANT CONNECT ON DATABASE ${databaseName} TO ${role}`,
    `GRANT ${role} TO CURRENT_USER`,
    `CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${role}`,
    `REVOKE ALL ON SCHEMA ${schema} FROM PUBLIC`,
    ...roleStatements(sessionSettings(provision.schema), { role: provision.role, database }),
    ...(provision.grantUsageOn ?? []).flatMap((other) => grants(identifier(other), role)),
  ];
}

const grants = (schema: string, role: string): string[] => [
  `CREATE SCHEMA IF NOT EXISTS ${schema}`,
  `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
  `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
  `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role}`,
  `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT USAGE ON SEQUENCES TO ${role}`,
];

/** Errors of concurrent provisioning: roles are rows of one catalogue per server. */
const CATALOGUE_RACES = new Set(['XX000', '23505', '42710', '40P01', '40001']);

async function retryingCatalogueRaces(run: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await run();
      return;
    } catch (error) {
      const code = postgresError(error)?.code;
      if (attempt >= 10 || code === undefined || !CATALOGUE_RACES.has(code)) throw error;
      await delay(20 * attempt);
    }
  }
}
