import pg from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource, type DataSourceOptions } from './data-source.js';

const MIGRATION_LOCK = 'bascule-migrations';

/** Applies what is pending, one process at a time, each migration in its transaction. Returns their names. */
export async function runMigrationsOf(options: DataSourceOptions): Promise<string[]> {
  const lock = new pg.Client({ connectionString: options.database.directUrl });
  await lock.connect();
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
    // Building an index takes its time; waiting behind a long transaction would stop the running version.
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

/** The names of migrations that this version has and the database does not. */
export async function pendingMigrations(dataSource: DataSource): Promise<string[]> {
  const exists: { found: string | null }[] = await dataSource.query(
    `SELECT to_regclass('migrations')::text AS found`,
  );
  const applied: { name: string }[] =
    exists[0]?.found == null ? [] : await dataSource.query('SELECT name FROM migrations');
  const known = new Set(applied.map((row) => row.name));
  return dataSource.migrations
    .map((migration) => migration.name ?? migration.constructor.name)
    .filter((name) => !known.has(name));
}

/** The SQL that would make the database agree with the entities; empty when migrations and entities agree. */
export async function pendingSchemaChanges(dataSource: DataSource): Promise<string[]> {
  const changes = await dataSource.driver.createSchemaBuilder().log();
  return changes.upQueries.map((query) => query.query);
}
