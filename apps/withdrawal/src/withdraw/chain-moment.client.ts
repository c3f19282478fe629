import { NodesUnavailableError, settleWithGrace, witnessesNeeded } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';

/** Wait for a third node after two answers. */
const STRAGGLER_MS = 250;
/** Wait for a second node after the first answer. */
const WITNESS_MS = 2_000;
/** Lead over our clock that one of several nodes can give a chain. */
const LONE_LEAD_SECONDS = 60n;
/** Highest number and time that a node may report: the year 36812. */
const MAX_REPORTED = 2n ** 40n;

/** Newest block of a chain. */
export interface ChainMoment {
  number: bigint;
  /** Unix seconds. */
  timestamp: bigint;
}

/**
 * Reads the highest number and time that two nodes have reached, or the only node. While the others of several are away,
 * one is enough: its time counts to a minute after ours.
 * @param ownTime unix seconds
 * @throws NodesUnavailableError when no node answers
 */
export async function chainMoment(
  chain: Pick<Chain, 'name' | 'endpoints'>,
  ownTime: bigint,
): Promise<ChainMoment> {
  const results = witnessesNeeded(chain);
  const { values, reasons } = await settleWithGrace(
    chain.endpoints.map(newestBlock),
    STRAGGLER_MS,
    { results, waitMs: WITNESS_MS },
  );
  const isLone = values.length < results;
  const needed = isLone ? 1 : results;
  const number = reachedBy(
    needed,
    values.map((block) => block.number),
  );
  const timestamp = reachedBy(
    needed,
    values.map((block) => block.timestamp),
  );
  if (number === undefined || timestamp === undefined) {
    throw new NodesUnavailableError(`no endpoint of ${chain.name} answered`, reasons);
  }
  const latest = ownTime + LONE_LEAD_SECONDS;
  return { number, timestamp: isLone && timestamp > latest ? latest : timestamp };
}

const newestBlock = async (node: EndpointClient): Promise<ChainMoment> =>
  momentOf(await node.getBlock());

/** @throws where a node reports no such numbers, or higher ones than a date holds */
function momentOf(block: { number: bigint | null; timestamp?: bigint | undefined }): ChainMoment {
  const { number, timestamp } = block;
  if (typeof number === 'bigint' && typeof timestamp === 'bigint') {
    if (number <= MAX_REPORTED && timestamp <= MAX_REPORTED) return { number, timestamp };
  }
  throw new Error('expected a block with a number and a time');
}

/** Highest number that this many reach. */
const reachedBy = (count: number, numbers: bigint[]): bigint | undefined =>
  numbers.sort((a, b) => Number(b - a))[count - 1];
