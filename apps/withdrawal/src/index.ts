import type { ServiceDefinition } from '@bascule/service-host';
import { runMigrationsOf } from '@bascule/persistence';
import { entities, migrations } from './persistence/persistence.config.js';
import { WithdrawalModule } from './withdrawal.module.js';
import { parseWithdrawalConfig } from './config/withdrawal.config.js';
import type { WithdrawalConfig } from './config/withdrawal.config.js';

export const withdrawalService: ServiceDefinition<WithdrawalConfig> = {
  name: 'withdrawal',
  schema: 'withdrawal',
  parseConfig: parseWithdrawalConfig,
  module: (config) => WithdrawalModule.register(config),
  migrate: ({ database }) => runMigrationsOf({ database, entities, migrations }),
};

export { migrations as withdrawalMigrations } from './persistence/persistence.config.js';
