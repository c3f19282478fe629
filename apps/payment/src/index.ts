import type { ServiceDefinition } from '@bascule/service-host';
import { runMigrationsOf } from '@bascule/persistence';
import { parsePaymentConfig, PAYMENT_SCHEMA } from './config/payment.config.js';
import type { PaymentConfig } from './config/payment.config.js';
import { PaymentModule } from './payment.module.js';
import { entities, migrations } from './persistence/persistence.config.js';

export const paymentService: ServiceDefinition<PaymentConfig> = {
  name: 'payment',
  schema: PAYMENT_SCHEMA,
  parseConfig: parsePaymentConfig,
  module: (config) => PaymentModule.register(config),
  migrate: ({ database }) => runMigrationsOf({ database, entities, migrations }),
};

export { migrations as paymentMigrations } from './persistence/persistence.config.js';
