import type { OnrampProvider } from './onramp-provider.js';
import type { ProviderAdapterName, ProviderConfig, ProvidersConfig } from './providers-config.js';
import { SandboxProvider } from './sandbox/sandbox-provider.js';

/** The one list of adapters: a new provider is a folder and a line here. */
const ADAPTERS: Readonly<Record<ProviderAdapterName, (config: ProviderConfig) => OnrampProvider>> =
  {
    sandbox: (config) => new SandboxProvider(config),
  };

/** The configured providers by name. */
export const createOnrampProviders = (config: ProvidersConfig): Map<string, OnrampProvider> =>
  new Map(config.map((provider) => [provider.name, ADAPTERS[provider.adapter](provider)]));
