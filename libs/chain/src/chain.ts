import { createPublicClient, defineChain, fallback } from 'viem';
import type { Chain as ViemChain, FallbackTransport, HttpTransport, PublicClient } from 'viem';
import { boundedHttp } from './bounded-http.js';
import type { ChainDefinition } from './definitions/chain-definition.js';
import type { ConfiguredChain } from './chains-config.js';
import { REQUEST_TIMEOUT_MS } from './node-times.js';

type Failover = FallbackTransport<readonly HttpTransport[]>;
export type ChainClient = PublicClient<Failover, ViemChain>;
/** Client of a single node, whose responses are consistent with each other. */
export type EndpointClient = PublicClient<HttpTransport, ViemChain>;

const RETRIES_PER_ENDPOINT = 1;
/** Time for which the client asks a node last that has timed out. */
const ASKED_LAST_MS = 60_000;
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

interface RpcNode {
  /** @param retryCount retries of a failed request */
  transport(retryCount: number): HttpTransport;
  /** Whether a request timed out lately. */
  hasTimedOut(): boolean;
}

function rpcNode(url: string, timeout: number): RpcNode {
  let timedOutAt = -Infinity;
  const onTimeout = () => (timedOutAt = performance.now());
  return {
    transport: (retryCount) => boundedHttp(url, { timeout, retryCount, onTimeout }),
    hasTimedOut: () => performance.now() - timedOutAt < ASKED_LAST_MS,
  };
}

/**
 * Fails over to the next node. Begins with the first that has not timed out lately: else each request would wait for one
 * that hangs.
 */
function failover(nodes: readonly RpcNode[]): Failover {
  // With several nodes, the next one is the retry.
  const retries = nodes.length > 1 ? 0 : RETRIES_PER_ENDPOINT;
  const transports = nodes.map((node) => node.transport(retries));
  const beginningWith = transports.map((_, first) =>
    fallback([...transports.slice(first), ...transports.slice(0, first)], {
      rank: false,
      retryCount: 0,
    }),
  );
  return (options) => {
    const ways = beginningWith.map((way) => way(options));
    const [inOrder] = ways;
    if (inOrder === undefined) throw new Error('expected at least one RPC endpoint');
    const way = () => ways[nodes.findIndex((node) => !node.hasTimedOut())] ?? inOrder;
    const request: typeof inOrder.request = (...call) => way().request(...call);
    return { ...inOrder, request };
  };
}

/** Creates a client of the same node that reads at most so many bytes of an answer. */
export function withAnswerLimit(
  { chain, transport, pollingInterval }: EndpointClient,
  maxBytes: number,
): EndpointClient {
  const { url = '', timeout = REQUEST_TIMEOUT_MS, retryCount = RETRIES_PER_ENDPOINT } = transport;
  return createPublicClient({
    chain,
    transport: boundedHttp(url, { timeout, retryCount, maxBytes }),
    cacheTime: 0,
    pollingInterval,
  });
}

/** A chain as one client shows it: the client of a single node, or the one with failover. */
export interface ChainView {
  readonly name: string;
  readonly chainId: number;
  readonly definition: ChainDefinition;
  readonly client: ChainClient | EndpointClient;
}

/** A configured chain with its clients. */
export class Chain {
  readonly definition: ChainDefinition;
  /** The chain as any one node shows it, with failover to the next: it may lie, so its word decides nothing alone. */
  readonly anyNode: ChainView & { readonly client: ChainClient };
  /** Clients per endpoint, for reads that must come from the same node. */
  readonly endpoints: readonly EndpointClient[];
  /** Clients that only send transactions, to endpoints that show them to nobody before their block. */
  readonly privateEndpoints: readonly EndpointClient[];

  constructor(
    { definition, rpcUrls, privateRpcUrls = [] }: ConfiguredChain,
    requestTimeoutMs = REQUEST_TIMEOUT_MS,
  ) {
    this.definition = definition;
    const chain = viemChain(definition, rpcUrls);
    const nodes = rpcUrls.map((url) => rpcNode(url, requestTimeoutMs));
    const pollingInterval = Math.min(
      Math.max(definition.blockTimeMs / 2, POLLING_INTERVAL_MS.min),
      POLLING_INTERVAL_MS.max,
    );
    const client = createPublicClient({
      chain,
      transport: failover(nodes),
      batch: { multicall: true },
      cacheTime: 0,
      pollingInterval,
    });
    const { name, chainId } = definition;
    this.anyNode = { name, chainId, definition, client };
    const clientOf = (node: RpcNode): EndpointClient =>
      createPublicClient({
        chain,
        transport: node.transport(RETRIES_PER_ENDPOINT),
        cacheTime: 0,
        pollingInterval,
      });
    this.endpoints = nodes.map(clientOf);
    this.privateEndpoints = privateRpcUrls.map((url) => clientOf(rpcNode(url, requestTimeoutMs)));
  }

  get name(): string {
    return this.definition.name;
  }

  get chainId(): number {
    return this.definition.chainId;
  }
}
