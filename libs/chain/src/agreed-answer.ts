import type { Chain, EndpointClient } from './chain.js';
import { answerOf, majorityOf } from './majority.js';
import { NodesUnavailableError } from './nodes-unavailable-error.js';
import { settleWithGrace } from './settle-with-grace.js';

/** Wait for slower nodes: irreversible decisions justify it. */
const STRAGGLER_MS = 3_000;

export interface AgreedAnswer<T> {
  answer: T;
  /** Block time in unix seconds. */
  timestamp: bigint;
}

/**
 * Reads a fact of a block from all endpoints; more than half of the configured ones must say the same: two of three, both
 * of two.
 * @throws when too few respond, or too few agree
 */
export async function agreedAnswer<T extends string | number | bigint>(
  { name, endpoints }: Pick<Chain, 'name' | 'endpoints'>,
  blockNumber: bigint,
  ask: (endpoint: EndpointClient) => Promise<T>,
): Promise<AgreedAnswer<T>> {
  const majority = majorityOf({ endpoints });
  const { values, reasons } = await settleWithGrace(
    endpoints.map(async (endpoint) => {
      const [{ hash, timestamp }, answer] = await Promise.all([
        endpoint.getBlock({ blockNumber }),
        ask(endpoint),
      ]);
      return { hash, timestamp, answer };
    }),
    STRAGGLER_MS,
    { results: majority, waitMs: STRAGGLER_MS },
  );
  if (values.length < majority) {
    throw new NodesUnavailableError(
      `too few endpoints of ${name} answered for block ${blockNumber}`,
      reasons,
    );
  }
  const agreed = answerOf(
    majority,
    values,
    ({ hash, timestamp, answer }) => `${hash} ${timestamp} ${answer}`,
  );
  if (!agreed) {
    throw new NodesUnavailableError(`endpoints of ${name} disagree about block ${blockNumber}`);
  }
  return agreed;
}
