export interface BlockTime {
  number: bigint;
  /** Time in unix seconds. */
  timestamp: bigint;
}

/**
 * Finds a block at or shortly before a time (unix seconds) by growing steps back from the head: each is as long as the
 * blocks in between should take, times two, four, eight, …
 */
export async function blockAtOrBefore(
  time: bigint,
  head: BlockTime,
  blockTimeMs: number,
  read: (blockNumber: bigint) => Promise<BlockTime>,
): Promise<bigint> {
  let block = head;
  for (let factor = 1n; block.timestamp > time && block.number > 0n; factor *= 2n) {
    const blocks = ((block.timestamp - time) * 1000n) / BigInt(blockTimeMs) + 1n;
    const steps = blocks * factor;
    block = await read(block.number > steps ? block.number - steps : 0n);
  }
  return block.number;
}
