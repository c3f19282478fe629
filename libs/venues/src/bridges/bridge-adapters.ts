import type { Chains } from '@bascule/chain';
import type { Bridge } from './bridge.js';
import type { BridgeConfig } from './bridges-config.js';
import { IntentEscrowBridge } from './intent-escrow/intent-escrow-bridge.js';

type MakesBridge = (config: BridgeConfig, chains: Chains) => Bridge;

/** The one list of adapters: a new bridge is a folder and a line here. */
export const BRIDGE_ADAPTERS = {
  'intent-escrow': (config, chains) => new IntentEscrowBridge(config, chains),
} satisfies Record<string, MakesBridge>;

export type BridgeAdapterName = keyof typeof BRIDGE_ADAPTERS;

export const isBridgeAdapterName = (name: string): name is BridgeAdapterName =>
  Object.hasOwn(BRIDGE_ADAPTERS, name);
