import type { ServiceDefinition } from '@bascule/service-host';
import { runMigrationsOf } from '@bascule/persistence';
import { entities, migrations } from './persistence/persistence.config.js';
import {
  parseWebhookDispatchConfig,
  WEBHOOK_DISPATCH_SCHEMA,
  type WebhookDispatchConfig,
} from './config/webhook-dispatch.config.js';
import { WebhookDispatchModule } from './webhook-dispatch.module.js';

export const webhookDispatchService: ServiceDefinition<WebhookDispatchConfig> = {
  name: 'webhook-dispatch',
  schema: WEBHOOK_DISPATCH_SCHEMA,
  parseConfig: parseWebhookDispatchConfig,
  module: (config) => WebhookDispatchModule.register(config),
  migrate: ({ database }) => runMigrationsOf({ database, entities, migrations }),
};

export { migrations as webhookDispatchMigrations } from './persistence/persistence.config.js';
