import type { Chains } from '@bascule/chain';
import { BRIDGE_ADAPTERS } from './bridge-adapters.js';
import type { Bridge } from './bridge.js';
import type { BridgesConfig } from './bridge-config.js';

export const createBridges = (config: BridgesConfig, chains: Chains): Bridge[] =>
  config.map((bridge) => BRIDGE_ADAPTERS[bridge.adapter](bridge, chains));
