import type { JsonObject } from './json-object.js';
import type { OnrampProvider } from '../port/onramp-provider.js';
import type { ProviderConnection } from '../port/provider-connection.js';
import type { SharedTokenStore } from '../port/shared-token-store.js';

/**
 * Creates the provider of an entry in `PROVIDERS`. Coverage and quotes work with `NO_SHARED_TOKENS` too; nothing is read
 * or called yet.
 */
export type CreateProvider = (
  connection: ProviderConnection,
  tokens: SharedTokenStore,
) => OnrampProvider;

/** Reads an adapter's own fields of its entry in `PROVIDERS`. @throws UnreadableAnswer */
export type ProviderAdapter = (entry: JsonObject) => CreateProvider;
