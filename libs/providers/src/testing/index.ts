export { onrampProviderContract } from './onramp-provider-contract.fixture.js';
export type { OnrampProviderHarness } from './onramp-provider-contract.fixture.js';
