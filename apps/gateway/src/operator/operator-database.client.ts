import { withDatabase } from '@bascule/operator-commands';
import { GATEWAY_SCHEMA } from '../config/gateway.config.js';
import { entities, migrations } from '../persistence/persistence.config.js';
import { KeyManagementService } from './key-management.service.js';

/** Opens the gateway's database for one operator command. */
export function withKeyManagement<T>(
  env: NodeJS.ProcessEnv,
  actor: string,
  work: (management: KeyManagementService) => Promise<T>,
): Promise<T> {
  return withDatabase({ schema: GATEWAY_SCHEMA, entities, migrations, env }, (dataSource) =>
    work(new KeyManagementService(dataSource, actor)),
  );
}
