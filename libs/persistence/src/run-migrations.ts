import type { DataSource } from 'typeorm';
import { connectClient } from './connect-client.js';
import { tlsOptions } from './database-config.js';
import { createDataSource, type DataSourceOptions } from './data-source.js';

const MIGRATION_LOCK = 'bascule-migrations';

/** Applies pending migrations, one process at a time, each in its transaction. Returns their names. */
export async function runMigrationsOf(options: DataSourceOptions): Promise<string[]> {
  const lock = await connectClient({
    connectionString: options.database.directUrl,
    ...tlsOptions(options.database),
  });
  try {
    await lock.query('SELECT pg_advisory_lock(hashtext($1), hashtext($2))', [
      MIGRATION_LOCK,
      options.database.schema,
    ]);
    return await migrate(options);
  } finally {
    await lock.end();
  }
}

async function migrate(options: DataSourceOptions): Promise<string[]> {
  const dataSource = createDataSource({
    ...options,
    database: { ...options.database, url: options.database.directUrl, poolSize: 2 },
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
