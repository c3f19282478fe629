export { MemoryTokenStore } from './memory-token-store.fixture.js';
export { onrampProviderContract, type PlacedOrder } from './onramp-provider-contract.fixture.js';
export { sharedTokenStoreContract } from './shared-token-store-contract.fixture.js';
