import type { ServiceDefinition } from '@bascule/service-host';
import { runMigrationsOf } from '@bascule/persistence';
import {
  WithdrawalModule,
  allWithdrawalEntities,
  allWithdrawalMigrations,
} from './withdrawal.module.js';
import { parseWithdrawalConfig } from './withdrawal.config.js';
import type { WithdrawalConfig } from './withdrawal.config.js';

export const withdrawalService: ServiceDefinition<WithdrawalConfig> = {
  name: 'withdrawal',
  schema: 'withdrawal',
  parseConfig: parseWithdrawalConfig,
  module: (config) => WithdrawalModule.register(config),
  migrate: ({ database }) =>
    runMigrationsOf({
      database,
      entities: allWithdrawalEntities,
      migrations: allWithdrawalMigrations,
    }),
};
