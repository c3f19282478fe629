import type { Check } from '../finding.js';
import { aggregators } from './aggregators.js';
import { agreement } from './agreement.js';
import { attesters } from './attesters.js';
import { balances } from './balances.js';
import { bridges } from './bridges.js';
import { configuration } from './configuration.js';
import { contracts } from './contracts.js';
import { databases } from './databases.js';
import { development } from './development.js';
import { inventory } from './inventory.js';
import { keys } from './keys.js';
import { nodes } from './nodes.js';
import { providers } from './providers.js';
import { screening } from './screening.js';
import { secrets } from './secrets.js';
import { topics } from './topics.js';

/** All checks, in the order of the table. */
export const checks: readonly Check[] = [
  configuration,
  agreement,
  secrets,
  development,
  keys,
  nodes,
  contracts,
  balances,
  inventory,
  databases,
  topics,
  providers,
  aggregators,
  bridges,
  attesters,
  screening,
];
