import type { ChainDefinition } from '@bascule/chain';
import { BaseError, createPublicClient, defineChain, http, type PublicClient } from 'viem';

/** Longest time of a request, its body included. */
export const REQUEST_TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 2 ** 20;

/** Reads at most a megabyte of a response within the time, and follows no redirect. */
const boundedFetch =
  (timeoutMs: number): typeof fetch =>
  async (input, init) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(input, { ...init, redirect: 'error', signal });
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += part.length;
      if (size > MAX_RESPONSE_BYTES) throw new Error('the response is too large');
      parts.push(part);
    }
    const { status, headers } = response;
    return new Response(Buffer.concat(parts), { status, headers });
  };

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
    fetchFn: boundedFetch(timeoutMs),
  });
  return createPublicClient({ chain, transport, cacheTime: 0 });
}

/** Kind of a failed read, without any text of the node: it may hold the node's URL. */
export function failureOf(error: unknown): string {
  const cause = error instanceof BaseError ? error.walk() : error;
  return cause instanceof Error ? cause.name : 'Error';
}
