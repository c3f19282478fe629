import type { ServiceDefinition } from '@bascule/service-host';
import { runMigrationsOf } from '@bascule/persistence';
import { entities, migrations } from './persistence/persistence.config.js';
import type { QuoteConfig } from './config/quote.config.js';
import { parseQuoteConfig, QUOTE_SCHEMA } from './config/quote.config.js';
import { QuoteModule } from './quote.module.js';

export const quoteService: ServiceDefinition<QuoteConfig> = {
  name: 'quote',
  schema: QUOTE_SCHEMA,
  parseConfig: parseQuoteConfig,
  module: (config) => QuoteModule.register(config),
  migrate: ({ database }) => runMigrationsOf({ database, entities, migrations }),
};

export { migrations as quoteMigrations } from './persistence/persistence.config.js';
