import { boundedFetch, type ChainDefinition } from '@bascule/chain';
import { BaseError, createPublicClient, defineChain, http, type PublicClient } from 'viem';

/** Longest time of a request, its body included. */
export const REQUEST_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 2 ** 20;

/** Client of one node. */
export function nodeClient(
  definition: ChainDefinition,
  url: string,
  timeoutMs: number,
): PublicClient {
  const chain = defineChain({
    id: definition.chainId,
    name: definition.network,
    nativeCurrency: definition.nativeCurrency,
    rpcUrls: { default: { http: [url] } },
  });
  const transport = http(url, {
    timeout: timeoutMs,
    retryCount: 1,
    fetchFn: boundedFetch({ maxBytes: MAX_ANSWER_BYTES }),
    maxResponseBodySize: false,
  });
  return createPublicClient({ chain, transport, cacheTime: 0 });
}

/** Kind of a failed read, without any text of the node: it may hold the node's URL. */
export function failureOf(error: unknown): string {
  const cause = error instanceof BaseError ? error.walk() : error;
  return cause instanceof Error ? cause.name : 'Error';
}
