export { onrampProviderContract, type PlacedOrder } from './onramp-provider-contract.fixture.js';
