import type { DataSource } from 'typeorm';
import type pg from 'pg';
import { connectClient } from './connect-client.js';
import { type DatabaseConfig, hasPooler, tlsOptions } from './database-config.js';
import { createDataSource, type DataSourceOptions } from './data-source.js';
import { refusePooler } from './direct-connection.js';
import {
  DEFAULT_TIMEOUTS,
  roleStatements,
  sessionSettings,
  startupOptions,
} from './session-settings.js';

const MIGRATION_LOCK = 'bascule-migrations';

/** Waits for another process's migrations for as long as they take. */
const UNLIMITED = { ...DEFAULT_TIMEOUTS, statementMs: 0, lockMs: 0 };

/**
 * Applies pending migrations, one process at a time, each in its transaction. Returns their names. Behind a pooler it
 * also gives the role the settings of its sessions.
 */
export async function runMigrationsOf(options: DataSourceOptions): Promise<string[]> {
  const { database } = options;
  const lock = await connectClient({
    connectionString: database.directUrl,
    ...tlsOptions(database),
    application_name: `bascule/migrations ${database.schema}`,
    options: startupOptions(sessionSettings(database.schema, UNLIMITED)),
  });
  await refusePooler(lock);
  try {
    await lock.query('SELECT pg_advisory_lock(hashtext($1), hashtext($2))', [
      MIGRATION_LOCK,
      database.schema,
    ]);
    if (hasPooler(database)) await setRoleSettings(lock, database);
    return await migrate(options);
  } finally {
    await lock.end();
  }
}

async function setRoleSettings(client: pg.Client, { schema }: DatabaseConfig): Promise<void> {
  const { rows } = await client.query<{ role: string; database: string }>(
    'SELECT current_user AS role, current_database() AS database',
  );
  const statements = rows.flatMap((session) => roleStatements(sessionSettings(schema), session));
  for (const statement of statements) await client.query(statement);
}

async function migrate(options: DataSourceOptions): Promise<string[]> {
  const dataSource = createDataSource({
    ...options,
    database: { ...options.database, url: options.database.directUrl, poolSize: 1 },
    // Building an index may take long; waiting for a lock may not, since it blocks the running version.
    timeouts: { statementMs: 0 },
  });
  await dataSource.initialize();
  try {
    const applied = await dataSource.runMigrations();
    return applied.map((migration) => migration.name);
  } finally {
    await dataSource.destroy();
  }
}

export interface SchemaState {
  /** Reason why this version cannot use the schema; null when it can. */
  problem: string | null;
  /** Migrations of a newer version; forward-only ones are compatible with this version. */
  unknown: string[];
}

export async function schemaState(dataSource: DataSource): Promise<SchemaState> {
  const applied = await appliedMigrations(dataSource);
  const known = dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
  const pending = known.filter((name) => !applied.includes(name));
  const problem =
    pending.length === 0
      ? null
      : `${pending.length} of ${known.length} migrations are pending, beginning with ${pending[0]}`;
  return { problem, unknown: applied.filter((name) => !known.includes(name)) };
}

async function appliedMigrations(dataSource: DataSource): Promise<string[]> {
  const exists: { found: string | null }[] = await dataSource.query(
    `SELECT to_regclass('migrations')::text AS found`,
  );
  if (exists[0]?.found == null) return [];
  const rows: { name: string }[] = await dataSource.query(
    'SELECT name FROM migrations ORDER BY id',
  );
  return rows.map((row) => row.name);
}

/** SQL that would adapt the database to the entities; empty when migrations and entities agree. */
export async function pendingSchemaChanges(dataSource: DataSource): Promise<string[]> {
  const changes = await dataSource.driver.createSchemaBuilder().log();
  return changes.upQueries.map((query) => query.query);
}
