import { coinbase } from './coinbase/coinbase-provider.js';
import { moonpay } from './moonpay/moonpay-provider.js';
import type { ProviderAdapter } from './wire/provider-adapter.js';
import { sandbox } from './sandbox/sandbox-provider.js';
import { stripe } from './stripe/stripe-provider.js';
import { transak } from './transak/transak-provider.js';

/** Registry of adapters: a new provider is a folder and a line here. */
export const ADAPTERS = { sandbox, moonpay, stripe, coinbase, transak } satisfies Record<
  string,
  ProviderAdapter
>;

export type ProviderAdapterName = keyof typeof ADAPTERS;

export const isAdapterName = (name: string): name is ProviderAdapterName =>
  Object.hasOwn(ADAPTERS, name);
