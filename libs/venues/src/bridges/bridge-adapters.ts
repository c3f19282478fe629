import type { Chains } from '@bascule/chain';
import type { BridgeAdapterName, BridgeConfig } from './bridge-config.js';
import type { Bridge } from './bridge.js';
import { IntentEscrowBridge } from './intent-escrow/intent-escrow-bridge.js';

/** Factory of each adapter. */
export const BRIDGE_ADAPTERS = {
  'intent-escrow': (config, chains) => new IntentEscrowBridge(config, chains),
} satisfies Record<BridgeAdapterName, (config: BridgeConfig, chains: Chains) => Bridge>;
