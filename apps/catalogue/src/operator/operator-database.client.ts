import { withDatabase } from '@bascule/operator-commands';
import { CATALOGUE_SCHEMA } from '../config/catalogue.config.js';
import { entities, migrations } from '../persistence/persistence.config.js';
import { AssetManagementService } from './asset-management.service.js';
import { readToken } from './token-contract.client.js';

/** Opens the catalogue's database for one operator command. */
export function withAssetManagement<T>(
  env: NodeJS.ProcessEnv,
  actor: string,
  work: (management: AssetManagementService) => Promise<T>,
): Promise<T> {
  return withDatabase({ schema: CATALOGUE_SCHEMA, entities, migrations, env }, (dataSource) =>
    work(
      new AssetManagementService(dataSource, actor, (token, reading) =>
        readToken(env, token, reading),
      ),
    ),
  );
}
