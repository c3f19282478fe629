import { moonpay } from './moonpay/moonpay-provider.js';
import { sandbox } from './sandbox/sandbox-provider.js';
import type { ProviderAdapter } from './wire/provider-adapter.js';

/** Registry of adapters: a new provider is a folder and a line here. */
export const ADAPTERS = { sandbox, moonpay } satisfies Record<string, ProviderAdapter>;

export type ProviderAdapterName = keyof typeof ADAPTERS;

export const isAdapterName = (name: string): name is ProviderAdapterName =>
  Object.hasOwn(ADAPTERS, name);
