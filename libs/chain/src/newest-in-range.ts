export interface BlockRange {
  fromBlock: bigint;
  toBlock: bigint;
}

/** Of one `eth_getLogs`: what hosted nodes take at least. */
const BLOCKS_AT_ONCE = 2_000n;

/**
 * The newest of what is found in a range of blocks that may be longer than nodes search at once: from its end down, in
 * parts, until something is found.
 * @param search what is in a part, oldest first
 */
export async function newestInRange<T>(
  { fromBlock, toBlock }: BlockRange,
  search: (part: BlockRange) => Promise<readonly T[]>,
): Promise<T | undefined> {
  let end = toBlock;
  while (end >= fromBlock) {
    const lowest = end - BLOCKS_AT_ONCE + 1n;
    const start = lowest > fromBlock ? lowest : fromBlock;
    const newest = (await search({ fromBlock: start, toBlock: end })).at(-1);
    if (newest !== undefined) return newest;
    end = start - 1n;
  }
  return undefined;
}
