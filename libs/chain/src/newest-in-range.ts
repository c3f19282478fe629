export interface BlockRange {
  fromBlock: bigint;
  toBlock: bigint;
}

/** What hosted nodes search at least. */
const BLOCKS_PER_SEARCH = 2_000;

/**
 * The newest of what is found in a range of blocks that may be longer than nodes search at once: from its end down, in
 * parts, until something is found.
 * @param search what is in a part, oldest first
 * @param blocksPerSearch as the chain's definition has it
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
