import type { OnrampProvider } from './port/onramp-provider.js';
import type { ProvidersConfig } from './providers-config.js';

/** Creates the configured providers by name. */
export const createOnrampProviders = (config: ProvidersConfig): Map<string, OnrampProvider> =>
  new Map(config.map((provider) => [provider.name, provider.create(provider)]));
