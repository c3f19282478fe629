import type { Logger } from '../logger.js';

export interface TracedService {
  name: string;
  instanceId: string;
  environment: string;
  logger: Logger;
}
