import type { OnrampProvider } from '@bascule/providers';

/** Injection token of the configured providers by name. */
export const ONRAMP_PROVIDERS = Symbol('ONRAMP_PROVIDERS');
export type OnrampProviders = ReadonlyMap<string, OnrampProvider>;
