export interface BlockRange {
  fromBlock: bigint;
  toBlock: bigint;
}

/** Block range that hosted nodes accept at least. */
const BLOCKS_PER_SEARCH = 2_000;

/**
 * Finds the newest results in a block range that may exceed the limit of one search: in parts, from its end down.
 * @param search finds the results of a part, oldest first
 * @param blocksPerSearch limit of the chain's definition
 */
export async function newestInRange<T>(
  { fromBlock, toBlock }: BlockRange,
  search: (part: BlockRange) => Promise<readonly T[]>,
  blocksPerSearch = BLOCKS_PER_SEARCH,
): Promise<T | undefined> {
  let end = toBlock;
  while (end >= fromBlock) {
    const lowest = end - BigInt(blocksPerSearch) + 1n;
    const start = lowest > fromBlock ? lowest : fromBlock;
    const newest = (await search({ fromBlock: start, toBlock: end })).at(-1);
    if (newest !== undefined) return newest;
    end = start - 1n;
  }
  return undefined;
}
