export * from './port/onramp-provider.js';
export { ProviderError } from './port/provider-error.js';
export { parseProviders, providersEnv } from './providers-config.js';
export type { ProvidersConfig } from './providers-config.js';
export { createOnrampProviders } from './create-onramp-providers.js';
