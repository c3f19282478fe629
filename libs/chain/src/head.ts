import type { Chain, EndpointClient } from './chain.js';
import { promptly } from './promptly.js';

/** A node that takes this much longer than the fastest one does not count this time. */
const STRAGGLER_MS = 1_000;

export interface Head {
  number: bigint;
  /** The endpoints that know this block, in order of preference. */
  endpoints: EndpointClient[];
}

/** The highest block that more than half of the endpoints which answered have reached. */
export function agreedHeight(heights: readonly bigint[]): bigint | undefined {
  const descending = [...heights].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  return descending[Math.floor(descending.length / 2)];
}

/**
 * The head that the chain's endpoints agree on, so that one node ahead of the others, or one left behind, decides
 * nothing.
 * @throws when no endpoint answers.
 */
export async function agreedHead(chain: Chain): Promise<Head> {
  const { values: reached, reasons } = await promptly(
    chain.endpoints.map(async (endpoint) => ({
      endpoint,
      height: await endpoint.getBlockNumber({ cacheTime: 0 }),
    })),
    STRAGGLER_MS,
  );
  const number = agreedHeight(reached.map(({ height }) => height));
  if (number === undefined) {
    throw new AggregateError(reasons, `no RPC endpoint of ${chain.name} answers`);
  }
  const endpoints = reached
    .filter(({ height }) => height >= number)
    .map(({ endpoint }) => endpoint);
  return { number, endpoints };
}
