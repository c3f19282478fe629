export { onrampProviderContract } from './onramp-provider-contract.js';
export type { OnrampProviderHarness } from './onramp-provider-contract.js';
