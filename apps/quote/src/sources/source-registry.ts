import type { OnrampQuoter } from '@bascule/providers';
import type { Bridge } from '@bascule/venues';

/** Configured onramp providers by lower-case name. */
export type OnrampProviders = ReadonlyMap<string, OnrampQuoter>;
export const ONRAMP_PROVIDERS = Symbol('ONRAMP_PROVIDERS');

/** Configured bridges by name. */
export type Bridges = ReadonlyMap<string, Bridge>;
export const BRIDGES = Symbol('BRIDGES');

/** Injects `readonly Venue[]`. */
export const VENUES = Symbol('VENUES');
