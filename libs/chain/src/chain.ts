import { createPublicClient, defineChain, fallback, http } from 'viem';
import type { Chain as ViemChain, FallbackTransport, HttpTransport, PublicClient } from 'viem';
import type { ChainDefinition } from './definitions/chain-definition.js';
import type { ConfiguredChain } from './chains-config.js';

export type ChainClient = PublicClient<FallbackTransport<HttpTransport[]>, ViemChain>;
/** Client of a single node, whose responses are consistent with each other. */
export type EndpointClient = PublicClient<HttpTransport, ViemChain>;

const REQUEST_TIMEOUT_MS = 10_000;
const RETRIES_PER_ENDPOINT = 1;
const POLLING_INTERVAL_MS = { min: 250, max: 4_000 };

function viemChain(definition: ChainDefinition, rpcUrls: readonly string[]): ViemChain {
  return defineChain({
    id: definition.chainId,
    name: definition.network,
    nativeCurrency: definition.nativeCurrency,
    rpcUrls: { default: { http: [...rpcUrls] } },
    contracts: { multicall3: { address: definition.contracts.multicall3 } },
    testnet: definition.isTestnet,
  });
}

const transport = (url: string): HttpTransport =>
  http(url, { timeout: REQUEST_TIMEOUT_MS, retryCount: RETRIES_PER_ENDPOINT });

/** A configured chain with its clients. */
export class Chain {
  readonly definition: ChainDefinition;
  /** Client with failover to the next endpoint. */
  readonly client: ChainClient;
  /** Clients per endpoint, for reads that must come from the same node. */
  readonly endpoints: readonly EndpointClient[];

  constructor({ definition, rpcUrls }: ConfiguredChain) {
    this.definition = definition;
    const chain = viemChain(definition, rpcUrls);
    const pollingInterval = Math.min(
      Math.max(definition.blockTimeMs / 2, POLLING_INTERVAL_MS.min),
      POLLING_INTERVAL_MS.max,
    );
    this.client = createPublicClient({
      chain,
      transport: fallback(rpcUrls.map(transport), { rank: false, retryCount: 0 }),
      batch: { multicall: true },
      cacheTime: 0,
      pollingInterval,
    });
    this.endpoints = rpcUrls.map((url) =>
      createPublicClient({ chain, transport: transport(url), cacheTime: 0, pollingInterval }),
    );
  }

  get name(): string {
    return this.definition.name;
  }

  get chainId(): number {
    return this.definition.chainId;
  }
}
