import type { Chains } from '@bascule/chain';
import { BRIDGE_ADAPTERS } from './bridge-adapters.js';
import type { Bridge } from './bridge.js';
import type { BridgesConfig } from './bridge-config.js';

/** @param attesterUrls needed only to refund transfers to their wallets */
export const createBridges = (
  config: BridgesConfig,
  chains: Chains,
  attesterUrls: readonly string[] = [],
): Bridge[] =>
  config.map((bridge) => BRIDGE_ADAPTERS[bridge.adapter](bridge, chains, attesterUrls));
