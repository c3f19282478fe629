import type { OnrampProvider, OnrampQuoter } from './port/onramp-provider.js';
import { NO_SHARED_TOKENS, type SharedTokenStore } from './port/shared-token-store.js';
import type { ProvidersConfig } from './providers-config.js';

/** Creates the configured providers by name. */
export const createOnrampProviders = (
  config: ProvidersConfig,
  tokens: SharedTokenStore,
): Map<string, OnrampProvider> =>
  new Map(config.map((provider) => [provider.name, provider.create(provider, tokens)]));

/** Creates the configured providers by name, for a service that only quotes: it has no access tokens. */
export const createOnrampQuoters = (config: ProvidersConfig): Map<string, OnrampQuoter> =>
  createOnrampProviders(config, NO_SHARED_TOKENS);
