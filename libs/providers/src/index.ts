export * from './port/onramp-provider.js';
export type { SharedToken, SharedTokens, SharedTokenStore } from './port/shared-token-store.js';
export { ProviderError } from './port/provider-error.js';
export { parseProviders, providersEnv } from './providers-config.js';
export type { ProvidersConfig } from './providers-config.js';
export { createOnrampProviders, createOnrampQuoters } from './create-onramp-providers.js';
