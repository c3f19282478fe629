import type { Chain, EndpointClient } from './chain.js';
import { promptly } from './promptly.js';

/** What cannot be taken back is worth waiting for the slower nodes. */
const STRAGGLER_MS = 3_000;
/** One node may lie, or be on a fork, where there are others to ask. */
const WITNESSES = 2;

export interface AgreedAnswer<T> {
  answer: T;
  /** Of the block, in unix seconds. */
  timestamp: bigint;
}

/**
 * What all endpoints that answer say of a block.
 * @throws when they do not agree, or when only one answers although more are configured
 */
export async function agreedAnswer<T extends string | number | bigint>(
  { name, endpoints }: Pick<Chain, 'name' | 'endpoints'>,
  blockNumber: bigint,
  ask: (endpoint: EndpointClient) => Promise<T>,
): Promise<AgreedAnswer<T>> {
  const { values, reasons } = await promptly(
    endpoints.map(async (endpoint) => {
      const [{ hash, timestamp }, answer] = await Promise.all([
        endpoint.getBlock({ blockNumber }),
        ask(endpoint),
      ]);
      return { hash, timestamp, answer };
    }),
    STRAGGLER_MS,
  );
  const [first, ...others] = values;
  if (!first || values.length < Math.min(WITNESSES, endpoints.length)) {
    throw new AggregateError(reasons, `too few endpoints of ${name} answer about ${blockNumber}`);
  }
  const agrees = others.every(
    ({ hash, timestamp, answer }) =>
      hash === first.hash && timestamp === first.timestamp && answer === first.answer,
  );
  if (!agrees) throw new Error(`the endpoints of ${name} do not agree about ${blockNumber}`);
  return first;
}
