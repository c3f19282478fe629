import { createDataSource, databaseConfig, databaseEnv } from '@bascule/persistence';
import { parseConfig } from '@bascule/process';
import { GATEWAY_SCHEMA } from '../config/gateway.config.js';
import { entities, migrations } from '../persistence/persistence.config.js';
import { KeyManagementService } from './key-management.service.js';

/** Works on the gateway's database for the time of one call. */
export async function withKeyManagement<T>(
  env: NodeJS.ProcessEnv,
  actor: string,
  work: (management: KeyManagementService) => Promise<T>,
): Promise<T> {
  const database = databaseConfig(parseConfig(env, databaseEnv), GATEWAY_SCHEMA);
  const dataSource = createDataSource({
    database: { ...database, poolSize: 1 },
    entities,
    migrations,
    applicationName: 'bascule/operator',
  });
  await dataSource.initialize();
  try {
    return await work(new KeyManagementService(dataSource, actor));
  } finally {
    await dataSource.destroy();
  }
}
