export * from './onramp-provider.js';
export { ProviderError } from './provider-error.js';
export type { ProviderErrorCode } from './provider-error.js';
export { parseProviders, providersEnv } from './providers-config.js';
export type { ProviderConfig, ProvidersConfig } from './providers-config.js';
export { createOnrampProviders } from './create-onramp-providers.js';
