export interface BlockTime {
  number: bigint;
  /** In unix seconds. */
  timestamp: bigint;
}

/**
 * A block that is not younger than a time, in unix seconds, and not much older than the last one of those: in steps
 * back from the head, each as long as the blocks in between should take, times two, four, eight, …
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
