import type { Chain, EndpointClient } from './chain.js';
import { median } from './median.js';
import { settleWithGrace } from './settle-with-grace.js';
import { witnessesNeeded } from './witnesses.js';

/** Wait for slower nodes after the fastest response. */
const STRAGGLER_MS = 1_000;

export interface Head {
  number: bigint;
  /** Endpoints that have this block, in order of preference. */
  endpoints: EndpointClient[];
}

/** Computes the highest block that a majority of the answering endpoints has reached. */
export const agreedHeight = (heights: readonly bigint[]): bigint | undefined =>
  median(heights, 'lower');

/**
 * Reads the head that a majority of the endpoints has reached, so that no single node ahead or behind decides.
 * @param notBelow ignores nodes below this height, unless all that answer are, two of several at least
 * @throws when no endpoint responds, or only one of several, which is below
 */
export async function agreedHead(chain: Chain, notBelow = 0n): Promise<Head> {
  const { values: answered, reasons } = await settleWithGrace(
    chain.endpoints.map(async (endpoint) => ({
      endpoint,
      height: await endpoint.getBlockNumber({ cacheTime: 0 }),
    })),
    STRAGGLER_MS,
  );
  const ahead = answered.filter(({ height }) => height >= notBelow);
  if (ahead.length === 0 && answered.length > 0 && answered.length < witnessesNeeded(chain)) {
    throw new Error(`only one node of ${chain.name} answered, and it is below block ${notBelow}`);
  }
  const reached = ahead.length === 0 ? answered : ahead;
  const number = agreedHeight(reached.map(({ height }) => height));
  if (number === undefined) {
    throw new AggregateError(reasons, `no RPC endpoint of ${chain.name} answered`);
  }
  const endpoints = reached
    .filter(({ height }) => height >= number)
    .map(({ endpoint }) => endpoint);
  return { number, endpoints };
}
