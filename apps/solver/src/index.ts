import type { ServiceDefinition } from '@bascule/service-host';
import { runMigrationsOf } from '@bascule/persistence';
import { entities, migrations } from './persistence/persistence.config.js';
import { parseSolverConfig } from './config/solver.config.js';
import type { SolverConfig } from './config/solver.config.js';
import { SolverModule } from './solver.module.js';

export const solverService: ServiceDefinition<SolverConfig> = {
  name: 'solver',
  schema: 'solver',
  parseConfig: parseSolverConfig,
  module: (config) => SolverModule.register(config),
  migrate: ({ database }) => runMigrationsOf({ database, entities, migrations }),
};

export { migrations as solverMigrations } from './persistence/persistence.config.js';
