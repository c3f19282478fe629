import type { Chain, EndpointClient } from './chain.js';
import { median } from './median.js';
import { NodesUnavailableError } from './nodes-unavailable-error.js';
import { settleWithGrace } from './settle-with-grace.js';
import { witnessesNeeded } from './witnesses.js';

/** Wait for slower nodes after the fastest response. */
const STRAGGLER_MS = 1_000;
/** Wait for a second node, where it is required. */
const WITNESS_MS = 3_000;

export interface Head {
  number: bigint;
  /** Endpoints that have this block, in order of preference. */
  endpoints: EndpointClient[];
}

/** Computes the highest block that a majority of the answering endpoints has reached. */
export const agreedHeight = (heights: readonly bigint[]): bigint | undefined =>
  median(heights, 'lower');

export interface HeadOptions {
  /** Ignores nodes below this height, unless all that answer are, two of several at least. */
  notBelow?: bigint;
  /** Waits for a second node, where several are configured: one alone may report any height. */
  isWitnessed?: boolean;
}

/**
 * Reads the head that a majority of the answering endpoints has reached, so that none of several answers decides alone.
 * @throws NodesUnavailableError when no endpoint responds, or only one of several, which is below or needs a witness
 */
export async function agreedHead(
  chain: Pick<Chain, 'name' | 'endpoints'>,
  { notBelow = 0n, isWitnessed = false }: HeadOptions = {},
): Promise<Head> {
  const needed = witnessesNeeded(chain);
  const { values: answered, reasons } = await settleWithGrace(
    chain.endpoints.map(async (endpoint) => ({
      endpoint,
      height: await endpoint.getBlockNumber({ cacheTime: 0 }),
    })),
    STRAGGLER_MS,
    isWitnessed ? { results: needed, waitMs: WITNESS_MS } : undefined,
  );
  const ahead = answered.filter(({ height }) => height >= notBelow);
  if (ahead.length === 0 && answered.length > 0 && answered.length < needed) {
    throw new NodesUnavailableError(
      `only one node of ${chain.name} answered, and it is below block ${notBelow}`,
      reasons,
    );
  }
  const reached = ahead.length === 0 ? answered : ahead;
  const number = agreedHeight(reached.map(({ height }) => height));
  if (number === undefined) {
    throw new NodesUnavailableError(`no RPC endpoint of ${chain.name} answered`, reasons);
  }
  if (isWitnessed && reached.length < needed) {
    throw new NodesUnavailableError(
      `only one node of ${chain.name} answered: a second is needed`,
      reasons,
    );
  }
  const endpoints = reached
    .filter(({ height }) => height >= number)
    .map(({ endpoint }) => endpoint);
  return { number, endpoints };
}
