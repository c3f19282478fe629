import type { JsonObject } from './json-object.js';
import type { OnrampProvider } from '../port/onramp-provider.js';
import type { ProviderConnection } from '../port/provider-connection.js';

/** Reads an adapter's own fields of its entry in `PROVIDERS`; returns what creates the provider. @throws UnreadableAnswer */
export type ProviderAdapter = (
  entry: JsonObject,
) => (connection: ProviderConnection) => OnrampProvider;
