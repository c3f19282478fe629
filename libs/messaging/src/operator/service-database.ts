import {
  createDataSource,
  databaseConfig,
  databaseEnv,
  databaseTrouble,
} from '@bascule/persistence';
import { parseConfig } from '@bascule/process';
import type { DataSource } from 'typeorm';
import { UsageError } from './operator-command.js';

const SERVICE = /^[a-z]+(-[a-z]+)*$/;

/** Works on the database of one service, with its role, for the time of one command. */
export async function withServiceDatabase<T>(
  service: string | undefined,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  if (service === undefined) throw new UsageError('--service is missing');
  if (!SERVICE.test(service)) throw new UsageError(`--service ${service} is no service`);
  const database = databaseConfig(
    parseConfig(process.env, databaseEnv),
    service.replaceAll('-', '_'),
  );
  const dataSource = createDataSource({
    database: { ...database, poolSize: 1 },
    entities: [],
    migrations: [],
    applicationName: 'bascule/operator',
  });
  try {
    await dataSource.initialize();
  } catch (error) {
    throw new Error(databaseTrouble(error, database), { cause: error });
  }
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
