import {
  collectProblems,
  ConfigurationError,
  integer,
  list,
  makeValidator,
  parseConfig,
  sensitive,
  str,
} from '@bascule/process';
import { isAddress } from 'viem';
import type { Address } from 'viem';
import type { ChainDefinition, DeploymentContracts } from './definitions/chain-definition.js';
import { chainDefinitions, defaultChains } from './definitions/index.js';

export interface ConfiguredChain {
  definition: ChainDefinition;
  /** In order of preference. */
  rpcUrls: readonly string[];
  /** Endpoints that take transactions without showing them before their block; none by default. */
  privateRpcUrls?: readonly string[];
}

export interface ChainsConfig {
  chains: readonly ConfiguredChain[];
}

const variable = (prefix: string, chain: string) => `${prefix}_${chain.toUpperCase()}`;

const contractAddress = makeValidator<Address>((input) => {
  if (!isAddress(input)) throw new Error('expected an address');
  return input;
});

/** Per-chain variables: RPC_URLS_, PRIVATE_RPC_URLS_, CONFIRMATIONS_, MAX_FEE_GWEI_, NATIVE_TRANSFERS_ and PUBLIC_RPC_. */
const chainEnv = {
  CHAINS: list({
    default: defaultChains.map(({ name }) => name),
    desc: 'chains to use, by name',
  }),
  EXECUTOR_CONTRACT: contractAddress({
    default: undefined,
    desc: 'executor in declarations, on chains whose definition has none',
  }),
  INTENT_ESCROW: contractAddress({
    default: undefined,
    desc: 'intent escrow, on chains whose definition has none',
  }),
  ATTESTER_ORACLE: contractAddress({
    default: undefined,
    desc: 'attester oracle, on chains whose definition has none',
  }),
};

const httpUrl = makeValidator<string>(parseHttpUrl);
/** URLs of RPC providers may contain a key. */
const rpcUrls = makeValidator<readonly string[]>((input) =>
  input.split(',').map((url) => parseHttpUrl(url.trim())),
);
const rpcUrlList = sensitive(rpcUrls({ desc: 'expected at least one http(s) URL' }));
const privateRpcUrlList = sensitive(
  rpcUrls({ default: [], desc: 'expected http(s) URLs, or no such variable' }),
);

function parseHttpUrl(value: string): string {
  const isHttp = URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol);
  if (!isHttp) throw new Error('expected an http(s) URL');
  return value;
}

function configuredChain(
  env: NodeJS.ProcessEnv,
  name: string,
  definition: ChainDefinition | undefined,
  deployed: DeploymentContracts,
): ConfiguredChain {
  if (!definition) throw new ConfigurationError([`CHAINS: unknown chain "${name}"`]);
  const urls = variable('RPC_URLS', name);
  const privateUrls = variable('PRIVATE_RPC_URLS', name);
  const depth = variable('CONFIRMATIONS', name);
  const publicUrl = variable('PUBLIC_RPC', name);
  const transfers = variable('NATIVE_TRANSFERS', name);
  const maxFee = variable('MAX_FEE_GWEI', name);
  const values = parseConfig(env, {
    [urls]: rpcUrlList,
    [privateUrls]: privateRpcUrlList,
    [depth]: integer({ min: 1, default: definition.confirmations }),
    [maxFee]: integer({ min: 1, default: definition.maxFeeGwei }),
    [publicUrl]: httpUrl({ default: definition.publicRpc }),
    [transfers]: str({
      choices: ['trace_block', 'blocks'],
      default: definition.nativeTransfers,
    }),
  });
  const confirmations = values[depth] as number;
  const maxFeeGwei = values[maxFee] as number;
  const publicRpc = values[publicUrl] as string;
  const nativeTransfers = values[transfers] as ChainDefinition['nativeTransfers'];
  const contracts = { ...deployed, ...definition.contracts };
  return {
    definition: { ...definition, confirmations, maxFeeGwei, publicRpc, nativeTransfers, contracts },
    rpcUrls: values[urls] as readonly string[],
    privateRpcUrls: values[privateUrls] as readonly string[],
  };
}

/** Contracts of this deployment, at the same addresses on all of its chains. */
const deploymentContracts = (own: {
  EXECUTOR_CONTRACT?: Address | undefined;
  INTENT_ESCROW?: Address | undefined;
  ATTESTER_ORACLE?: Address | undefined;
}): DeploymentContracts => ({
  ...(own.EXECUTOR_CONTRACT && { executor: own.EXECUTOR_CONTRACT }),
  ...(own.INTENT_ESCROW && { intentEscrow: own.INTENT_ESCROW }),
  ...(own.ATTESTER_ORACLE && { attesterOracle: own.ATTESTER_ORACLE }),
});

/** @throws ConfigurationError that lists every problem of the chains' variables */
export function parseChainsConfig(
  env: NodeJS.ProcessEnv,
  definitions: Readonly<Record<string, ChainDefinition>> = chainDefinitions,
): ChainsConfig {
  const { CHAINS, ...own } = parseConfig(env, chainEnv);
  const deployed = deploymentContracts(own);
  const names = new Set(CHAINS.map((chain) => chain.toLowerCase()));
  const parsers = [...names].map(
    (name) => [name, () => configuredChain(env, name, definitions[name], deployed)] as const,
  );
  const chains = collectProblems<Record<string, ConfiguredChain>>(Object.fromEntries(parsers));
  return { chains: Object.values(chains) };
}
