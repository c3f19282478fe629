import { newestInRange } from '@bascule/chain';
import type { BlockRange, Chain } from '@bascule/chain';

/** Covers reorgs since the withdrawal was requested. */
const REORG_MARGIN = 100n;
/** Searched at least, since the stored block of a request can be the word of one node. */
const NEWEST_BLOCKS = 200_000n;

/**
 * Finds the newest log of a withdrawal, from the final block down.
 * @param range from the head at the request to the final block
 */
export function settlementLog<T>(
  { definition }: Pick<Chain, 'definition'>,
  { fromBlock, toBlock }: BlockRange,
  search: (part: BlockRange) => Promise<readonly T[]>,
): Promise<T | undefined> {
  const requested = fromBlock - REORG_MARGIN;
  const recent = toBlock - NEWEST_BLOCKS;
  const lowest = requested < recent ? requested : recent;
  const range = { fromBlock: lowest > 0n ? lowest : 0n, toBlock };
  return newestInRange(range, search, definition.blocksPerSearch);
}
