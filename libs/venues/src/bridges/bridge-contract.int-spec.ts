import type { BridgeAdapterName } from './bridge-config.js';
import { bridgeContract } from './testing/bridge-contract.fixture.js';
import { BRIDGE_STAGES } from './testing/bridge-stages.fixture.js';

for (const adapter of Object.keys(BRIDGE_STAGES) as BridgeAdapterName[]) {
  bridgeContract(adapter, BRIDGE_STAGES[adapter]);
}
