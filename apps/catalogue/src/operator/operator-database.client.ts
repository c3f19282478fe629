import { createDataSource, databaseConfig, databaseEnv } from '@bascule/persistence';
import { parseConfig } from '@bascule/process';
import { CATALOGUE_SCHEMA } from '../config/catalogue.config.js';
import { entities, migrations } from '../persistence/persistence.config.js';
import { AssetManagementService } from './asset-management.service.js';
import { readToken } from './token-contract.client.js';

/** Works on the catalogue's database for the time of one call. */
export async function withAssetManagement<T>(
  env: NodeJS.ProcessEnv,
  actor: string,
  work: (management: AssetManagementService) => Promise<T>,
): Promise<T> {
  const database = databaseConfig(parseConfig(env, databaseEnv), CATALOGUE_SCHEMA);
  const dataSource = createDataSource({
    database: { ...database, poolSize: 1 },
    entities,
    migrations,
    applicationName: 'bascule/operator',
  });
  await dataSource.initialize();
  try {
    return await work(new AssetManagementService(dataSource, actor, readToken));
  } finally {
    await dataSource.destroy();
  }
}
