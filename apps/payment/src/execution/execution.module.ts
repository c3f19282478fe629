import { createVenues } from '@bascule/venues';
import type { Provider } from '@nestjs/common';
import { EXECUTION_PATIENCE, VENUES } from './execution.config.js';
import { LegOutcomes } from './leg-outcomes.service.js';
import { LegSettlements } from './leg-settlements.service.js';
import { LegStarter } from './leg-start.service.js';
import { LegWorker } from './leg.worker.js';
import type { ExecutionPatience } from './patience.js';

/** Among the providers of the service's module. */
export const executionProviders = (patience: ExecutionPatience): Provider[] => [
  { provide: EXECUTION_PATIENCE, useValue: patience },
  { provide: VENUES, useFactory: createVenues },
  LegOutcomes,
  LegSettlements,
  LegStarter,
  LegWorker,
];
