import { EnvError, makeExactValidator } from 'envalid';
import { sensitive } from '@bascule/process';
import { ADAPTERS, isAdapterName } from './adapters.js';
import type { ProviderAdapterName } from './adapters.js';
import type { ProviderConnection } from './port/provider-connection.js';
import { JsonObject, parseJson } from './wire/json-object.js';
import type { CreateProvider } from './wire/provider-adapter.js';

/** One configured provider. */
export interface ProviderConfig extends ProviderConnection {
  adapter: ProviderAdapterName;
  /** Takes no real money; test keys use these providers only. */
  isSandbox: boolean;
  create: CreateProvider;
}

export type ProvidersConfig = readonly ProviderConfig[];

/**
 * Parses `PROVIDERS`: a JSON array of `{name, adapter, base_url, api_key, timeout_ms?, sandbox?}`, each with
 * the fields of its adapter.
 */
export function parseProviders(text: string): ProvidersConfig {
  const providers = JsonObject.of({ providers: parseJson(text, 'PROVIDERS') }, 'PROVIDERS')
    .objects('providers')
    .map(parseProvider);
  const names = providers.map((provider) => provider.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new EnvError(`provider ${twice} is configured twice`);
  return providers;
}

function parseProvider(item: JsonObject): ProviderConfig {
  const name = item.string('name');
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw new EnvError(`expected a provider name of a-z, 0-9 and -, got "${name}"`);
  const adapter = item.string('adapter');
  if (!isAdapterName(adapter)) {
    throw new EnvError(
      `expected adapter of ${name} to be one of ${Object.keys(ADAPTERS).join(', ')}`,
    );
  }
  return {
    name,
    adapter,
    create: ADAPTERS[adapter](item),
    baseUrl: item.httpUrl('base_url'),
    apiKey: item.string('api_key'),
    isSandbox: item.has('sandbox') ? item.boolean('sandbox') : adapter === 'sandbox',
    ...(item.has('timeout_ms') ? { timeoutMs: item.count('timeout_ms') } : {}),
  };
}

/** Environment of a service that calls providers. */
export const providersEnv = {
  PROVIDERS: sensitive(
    makeExactValidator<ProvidersConfig>(parseProviders)({
      desc: 'JSON array of {name, adapter, base_url, api_key, timeout_ms?, sandbox?} and the fields of the adapter',
    }),
  ),
};
