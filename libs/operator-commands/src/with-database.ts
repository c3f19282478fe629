import {
  createDataSource,
  databaseConfig,
  databaseEnv,
  type DataSourceOptions,
  describeDatabaseError,
  sessionProblem,
} from '@bascule/persistence';
import { parseConfig } from '@bascule/process';
import type { DataSource } from 'typeorm';
import { OperatorError, UsageError } from './operator-error.js';

export interface CommandDatabase {
  schema: string;
  entities?: DataSourceOptions['entities'];
  migrations?: DataSourceOptions['migrations'];
  /** Holds `DATABASE_URL`; the process's own unless given. */
  env?: NodeJS.ProcessEnv;
}

const SERVICE = /^[a-z]+(-[a-z]+)*$/;

/**
 * Opens one connection to a service's schema for the time of `work`.
 * @throws OperatorError when the database cannot be reached, or its sessions lack settings
 */
export async function withDatabase<T>(
  { schema, entities = [], migrations = [], env = process.env }: CommandDatabase,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const database = databaseConfig(parseConfig(env, databaseEnv), schema);
  const dataSource = createDataSource({
    database: { ...database, poolSize: 1 },
    entities,
    migrations,
    applicationName: 'bascule/operator',
  });
  try {
    await dataSource.initialize();
  } catch (error) {
    throw new OperatorError(describeDatabaseError(error, database), { cause: error });
  }
  try {
    const problem = await sessionProblem(dataSource, database);
    if (problem !== null) throw new OperatorError(problem);
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** @throws UsageError for anything but the name of a service, as `--service` takes it */
export function schemaOfService(service: string | undefined): string {
  if (service === undefined) throw new UsageError('--service is missing');
  if (!SERVICE.test(service)) throw new UsageError(`not a service: --service ${service}`);
  return service.replaceAll('-', '_');
}
