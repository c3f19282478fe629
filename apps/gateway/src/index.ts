import type { ServiceDefinition } from '@bascule/service-host';
import { runMigrationsOf } from '@bascule/persistence';
import { GATEWAY_SCHEMA, parseGatewayConfig } from './config/gateway.config.js';
import type { GatewayConfig } from './config/gateway.config.js';
import { GatewayModule } from './gateway.module.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { openGateway } from './gateway.server.js';

export const gatewayService: ServiceDefinition<GatewayConfig> = {
  name: 'gateway',
  schema: GATEWAY_SCHEMA,
  parseConfig: parseGatewayConfig,
  module: (config) => GatewayModule.register(config),
  migrate: ({ database }) => runMigrationsOf({ database, entities, migrations }),
  configure: openGateway,
};

export { createFirstKeys } from './operator/create-first-keys.service.js';
export type { FirstKeys } from './operator/create-first-keys.service.js';

export { migrations as gatewayMigrations } from './persistence/persistence.config.js';
