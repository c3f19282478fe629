export { onrampProviderContract } from './onramp-provider-contract.fixture.js';
