import type { ServiceDefinition } from '@bascule/service-host';
import { parseAttesterConfig } from './config/attester.config.js';
import type { AttesterConfig } from './config/attester.config.js';
import { AttesterModule } from './attester.module.js';

export const attesterService: ServiceDefinition<AttesterConfig> = {
  name: 'attester',
  parseConfig: parseAttesterConfig,
  module: (config) => AttesterModule.register(config),
};
