import { Chains } from '@bascule/chain';
import { createBridges, createVenues } from '@bascule/venues';
import type { BridgesConfig } from '@bascule/venues';
import type { Provider } from '@nestjs/common';
import { BRIDGES, EXECUTION_PATIENCE, VENUES } from './execution.config.js';
import { BridgeOffers } from './bridge-offers.client.js';
import { BridgeTransfers } from './bridge-transfers.client.js';
import { LegOutcomes } from './leg-outcomes.service.js';
import { LegSettlements } from './leg-settlements.service.js';
import { LegStarter } from './leg-start.service.js';
import { LegTransfers } from './leg-transfers.service.js';
import { LegWorker } from './leg.worker.js';
import { UnfollowedTransfers } from './unfollowed-transfers.service.js';
import type { ExecutionPatience } from './patience.js';

/** Among the providers of the service's module. */
export const executionProviders = (
  patience: ExecutionPatience,
  bridges: BridgesConfig,
): Provider[] => [
  { provide: EXECUTION_PATIENCE, useValue: patience },
  { provide: VENUES, useFactory: createVenues },
  {
    provide: BRIDGES,
    useFactory: (chains: Chains) =>
      new Map(createBridges(bridges, chains).map((bridge) => [bridge.name, bridge])),
    inject: [Chains],
  },
  BridgeOffers,
  BridgeTransfers,
  LegOutcomes,
  LegSettlements,
  LegStarter,
  LegTransfers,
  LegWorker,
  UnfollowedTransfers,
];
