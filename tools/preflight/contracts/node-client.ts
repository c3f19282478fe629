import { boundedFetch, type ChainDefinition } from '@bascule/chain';
import { BaseError, createPublicClient, defineChain, http, type PublicClient } from 'viem';

const MAX_ANSWER_BYTES = 2 ** 20;

/**
 * Client of one node.
 *
 * @param timeoutMs of one request, its body included; it is repeated once
 */
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
