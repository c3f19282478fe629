import type { BridgeAdapterName } from '../bridge-config.js';
import type { BridgeStage } from './bridge-contract.fixture.js';
import { startIntentEscrowStage } from './intent-escrow-stage.fixture.js';

export type BridgeStages<Adapter extends string> = Record<Adapter, () => Promise<BridgeStage>>;

/** Stage of each adapter for the contract suite; an adapter without one does not compile. */
export const BRIDGE_STAGES = {
  'intent-escrow': async () => {
    const { contract, stop } = await startIntentEscrowStage();
    return { ...contract, stop };
  },
} satisfies BridgeStages<BridgeAdapterName>;
