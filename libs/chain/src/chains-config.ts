import {
  collectProblems,
  ConfigurationError,
  integer,
  list,
  makeValidator,
  parseConfig,
  sensitive,
} from '@bascule/process';
import type { ChainDefinition } from './chain-definition.js';
import { chainDefinitions } from './definitions/index.js';

export interface ConfiguredChain {
  definition: ChainDefinition;
  /** In order of preference. */
  rpcUrls: readonly string[];
}

export interface ChainsConfig {
  chains: readonly ConfiguredChain[];
}

const variable = (prefix: string, chain: string) => `${prefix}_${chain.toUpperCase()}`;

/** RPC_URLS_, CONFIRMATIONS_ and PUBLIC_RPC_ exist per chain. */
const chainEnv = {
  CHAINS: list({ default: Object.keys(chainDefinitions), desc: 'chains to use, by name' }),
};

const httpUrl = makeValidator<string>(parseHttpUrl);
/** A provider's URL may have a key in it. */
const rpcUrlList = sensitive(
  makeValidator<readonly string[]>((input) =>
    input.split(',').map((url) => parseHttpUrl(url.trim())),
  )({ desc: 'at least one http(s) URL is needed' }),
);

function parseHttpUrl(value: string): string {
  const isHttp = URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol);
  if (!isHttp) throw new Error('is not an http(s) URL');
  return value;
}

function configuredChain(env: NodeJS.ProcessEnv, name: string): ConfiguredChain {
  const definition = chainDefinitions[name];
  if (!definition) throw new ConfigurationError([`CHAINS: unknown chain "${name}"`]);
  const urls = variable('RPC_URLS', name);
  const depth = variable('CONFIRMATIONS', name);
  const publicUrl = variable('PUBLIC_RPC', name);
  const values = parseConfig(env, {
    [urls]: rpcUrlList,
    [depth]: integer({ min: 1, default: definition.confirmations }),
    [publicUrl]: httpUrl({ default: definition.publicRpc }),
  });
  const confirmations = values[depth] as number;
  const publicRpc = values[publicUrl] as string;
  return {
    definition: { ...definition, confirmations, publicRpc },
    rpcUrls: values[urls] as readonly string[],
  };
}

/** @throws ConfigurationError with all that is wrong with the chains' part of the environment. */
export function parseChainsConfig(env: NodeJS.ProcessEnv): ChainsConfig {
  const { CHAINS } = parseConfig(env, chainEnv);
  const names = new Set(CHAINS.map((chain) => chain.toLowerCase()));
  const parsers = [...names].map((name) => [name, () => configuredChain(env, name)] as const);
  const chains = collectProblems<Record<string, ConfiguredChain>>(Object.fromEntries(parsers));
  return { chains: Object.values(chains) };
}
