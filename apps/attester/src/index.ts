import type { ServiceDefinition } from '@bascule/service-host';
import { parseAttesterConfig } from './attester.config.js';
import type { AttesterConfig } from './attester.config.js';
import { AttesterModule } from './attester.module.js';

export const attesterService: ServiceDefinition<AttesterConfig> = {
  name: 'attester',
  parseConfig: parseAttesterConfig,
  module: (config) => AttesterModule.register(config),
};
