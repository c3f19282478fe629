import { ConfigurationError, list, num, parseConfig, sensitive, str } from '@bascule/process';
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

function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol);
}

function configuredChain(
  env: NodeJS.ProcessEnv,
  name: string,
  problems: string[],
): ConfiguredChain | undefined {
  const definition = chainDefinitions[name];
  if (!definition) {
    problems.push(`CHAINS: unknown chain "${name}"`);
    return undefined;
  }
  const urls = variable('RPC_URLS', name);
  const confirmations = variable('CONFIRMATIONS', name);
  const publicRpcVariable = variable('PUBLIC_RPC', name);
  const values = parseConfig(env, {
    // A provider's URL may have a key in it.
    [urls]: sensitive(list({ default: [] })),
    [confirmations]: num({ default: definition.confirmations }),
    [publicRpcVariable]: str({ default: definition.publicRpc }),
  });
  const rpcUrls = values[urls] as string[];
  const depth = values[confirmations] as number;
  const publicRpc = values[publicRpcVariable] as string;
  if (rpcUrls.length === 0) problems.push(`${urls}: at least one URL is needed`);
  for (const url of rpcUrls) if (!isHttpUrl(url)) problems.push(`${urls}: not an http(s) URL`);
  if (!Number.isSafeInteger(depth) || depth < 1) problems.push(`${confirmations}: at least 1`);
  if (!isHttpUrl(publicRpc)) problems.push(`${publicRpcVariable}: not an http(s) URL`);
  return { definition: { ...definition, confirmations: depth, publicRpc }, rpcUrls };
}

/** @throws ConfigurationError with all that is wrong with the chains' part of the environment. */
export function parseChainsConfig(env: NodeJS.ProcessEnv): ChainsConfig {
  const { CHAINS } = parseConfig(env, chainEnv);
  const problems: string[] = [];
  const chains: ConfiguredChain[] = [];
  for (const name of new Set(CHAINS.map((chain) => chain.toLowerCase()))) {
    const chain = configuredChain(env, name, problems);
    if (chain) chains.push(chain);
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return { chains };
}
