import type { OnrampProvider } from './onramp-provider.js';
import type { ProviderConfig } from './providers-config.js';
import { SandboxProvider } from './sandbox/sandbox-provider.js';

type MakesProvider = (config: ProviderConfig) => OnrampProvider;

/** The one list of adapters: a new provider is a folder and a line here. */
export const ADAPTERS = {
  sandbox: (config) => new SandboxProvider(config),
} satisfies Record<string, MakesProvider>;

export type ProviderAdapterName = keyof typeof ADAPTERS;

export const isAdapterName = (name: string): name is ProviderAdapterName =>
  Object.hasOwn(ADAPTERS, name);
