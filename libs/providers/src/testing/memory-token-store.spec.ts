import { MemoryTokenStore } from './memory-token-store.fixture.js';
import { sharedTokenStoreContract } from './shared-token-store-contract.fixture.js';

sharedTokenStoreContract('in memory', () => {
  const store = new MemoryTokenStore();
  return Promise.resolve({
    replicas: [store, store],
    endPause: async (provider) => store.endPause(provider),
    stop: async () => undefined,
  });
});
