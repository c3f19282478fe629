import type { OnrampProvider } from './port/onramp-provider.js';
import type { ProviderConnection } from './port/provider-connection.js';
import { SandboxProvider } from './sandbox/sandbox-provider.js';

type MakesProvider = (connection: ProviderConnection) => OnrampProvider;

/** Registry of adapters: a new provider is a folder and a line here. */
export const ADAPTERS = {
  sandbox: (connection) => new SandboxProvider(connection),
} satisfies Record<string, MakesProvider>;

export type ProviderAdapterName = keyof typeof ADAPTERS;

export const isAdapterName = (name: string): name is ProviderAdapterName =>
  Object.hasOwn(ADAPTERS, name);
