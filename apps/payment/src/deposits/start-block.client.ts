import type { EndpointClient } from '@bascule/chain';

/** Oldest block at or after a time; the head where all blocks are older. */
export async function firstBlockAfter(
  node: EndpointClient,
  time: Date,
  head: bigint,
): Promise<bigint> {
  const seconds = BigInt(Math.floor(time.getTime() / 1000));
  let [low, high] = [0n, head];
  while (low < high) {
    const middle = (low + high) / 2n;
    const { timestamp } = await node.getBlock({ blockNumber: middle });
    if (timestamp < seconds) low = middle + 1n;
    else high = middle;
  }
  return low;
}
