import type { OnrampProvider } from '@bascule/providers';

/** The configured providers, by their lower-case names. */
export type OnrampProviders = ReadonlyMap<string, OnrampProvider>;
export const ONRAMP_PROVIDERS = Symbol('ONRAMP_PROVIDERS');
