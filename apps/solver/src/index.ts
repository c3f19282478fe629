import type { ServiceDefinition } from '@bascule/service-host';
import { runMigrationsOf } from '@bascule/persistence';
import { solverEntities } from './persistence/entities.js';
import { solverMigrations } from './persistence/migrations/migrations.js';
import { parseSolverConfig } from './solver.config.js';
import type { SolverConfig } from './solver.config.js';
import { SolverModule } from './solver.module.js';

export const solverService: ServiceDefinition<SolverConfig> = {
  name: 'solver',
  schema: 'solver',
  parseConfig: parseSolverConfig,
  module: (config) => SolverModule.register(config),
  migrate: ({ database }) =>
    runMigrationsOf({ database, entities: solverEntities, migrations: solverMigrations }),
};
