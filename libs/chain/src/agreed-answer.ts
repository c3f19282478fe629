import type { Chain, EndpointClient } from './chain.js';
import { settleWithGrace } from './settle-with-grace.js';

/** Wait for slower nodes: irreversible decisions justify it. */
const STRAGGLER_MS = 3_000;
/** Minimum of responding nodes when several are configured: a single one may be wrong or on a fork. */
const WITNESSES = 2;

export interface AgreedAnswer<T> {
  answer: T;
  /** Block time in unix seconds. */
  timestamp: bigint;
}

/**
 * Reads a fact of a block from all endpoints and requires the responses to agree.
 * @throws when they disagree, or when only one of several responds
 */
export async function agreedAnswer<T extends string | number | bigint>(
  { name, endpoints }: Pick<Chain, 'name' | 'endpoints'>,
  blockNumber: bigint,
  ask: (endpoint: EndpointClient) => Promise<T>,
): Promise<AgreedAnswer<T>> {
  const { values, reasons } = await settleWithGrace(
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
    throw new AggregateError(
      reasons,
      `too few endpoints of ${name} answered for block ${blockNumber}`,
    );
  }
  const agrees = others.every(
    ({ hash, timestamp, answer }) =>
      hash === first.hash && timestamp === first.timestamp && answer === first.answer,
  );
  if (!agrees) throw new Error(`endpoints of ${name} disagree about block ${blockNumber}`);
  return first;
}
