import type { ServiceDefinition } from '@bascule/service-host';
import { runMigrationsOf } from '@bascule/persistence';
import {
  CATALOGUE_SCHEMA,
  parseCatalogueConfig,
  type CatalogueConfig,
} from './config/catalogue.config.js';
import { CatalogueModule } from './catalogue.module.js';
import { entities, migrations } from './persistence/persistence.config.js';

export const catalogueService: ServiceDefinition<CatalogueConfig> = {
  name: 'catalogue',
  schema: CATALOGUE_SCHEMA,
  parseConfig: parseCatalogueConfig,
  module: (config) => CatalogueModule.register(config),
  migrate: ({ database }) => runMigrationsOf({ database, entities, migrations }),
};

export { migrations as catalogueMigrations } from './persistence/persistence.config.js';
