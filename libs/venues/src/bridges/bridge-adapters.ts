import type { Chains } from '@bascule/chain';
import type { BridgeAdapterName, BridgeConfig } from './bridge-config.js';
import type { Bridge } from './bridge.js';
import { IntentEscrowBridge } from './intent-escrow/intent-escrow-bridge.js';

export type BridgeFactories<Adapter extends string> = Record<
  Adapter,
  (config: BridgeConfig, chains: Chains, attesterUrls: readonly string[]) => Bridge
>;

/** Factory of each adapter; an adapter without one does not compile. */
export const BRIDGE_ADAPTERS = {
  'intent-escrow': (config, chains, attesterUrls) =>
    new IntentEscrowBridge(config, chains, attesterUrls),
} satisfies BridgeFactories<BridgeAdapterName>;
