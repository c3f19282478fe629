import type { ServiceDefinition } from '@bascule/service-host';
import { runMigrationsOf } from '@bascule/persistence';
import { entities, migrations } from './persistence/persistence.config.js';
import { parseSandboxProviderConfig } from './config/sandbox-provider.config.js';
import type { SandboxProviderConfig } from './config/sandbox-provider.config.js';
import { SandboxProviderModule } from './sandbox-provider.module.js';

export const sandboxProviderService: ServiceDefinition<SandboxProviderConfig> = {
  name: 'sandbox-provider',
  schema: 'sandbox_provider',
  parseConfig: parseSandboxProviderConfig,
  module: (config) => SandboxProviderModule.register(config),
  migrate: ({ database }) =>
    runMigrationsOf({
      database,
      entities,
      migrations,
    }),
};

export { migrations as sandboxProviderMigrations } from './persistence/persistence.config.js';
