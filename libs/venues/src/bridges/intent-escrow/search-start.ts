import type { Chain } from '@bascule/chain';
import type { Order } from '@bascule/solidity';
import { blockBefore } from './block-before.js';

/** Time before the fill deadline that is searched: longer than any escrow's fill window. */
const SEARCH_SECONDS = 7n * 86_400n;
/** Speed of a chain's blocks, as a multiple of its nominal one, that a search allows for. */
const FASTEST_BLOCKS = 2n;

/** Final block of a chain. */
interface Final {
  number: bigint;
  /** Unix seconds. */
  timestamp: bigint;
}

/** Returns a stored start, or one by block times where a lying node has set it above final blocks. */
export async function usableStart(
  chain: Chain,
  stored: bigint,
  final: bigint,
  order: Order,
): Promise<bigint> {
  if (stored <= final) return stored;
  const found = await blockBefore(chain, order.fillDeadline - SEARCH_SECONDS);
  return found <= final ? found : final;
}

/** Computes the first block that may have an order's fill: a lying node may have set the start long before it. */
export function earliestFill(blockTimeMs: number, final: Final, order: Order): bigint {
  const seconds = final.timestamp - (order.fillDeadline - SEARCH_SECONDS);
  // The chain's clock is far behind the other one's.
  if (seconds <= 0n) return 0n;
  const blocks = (seconds * 1_000n * FASTEST_BLOCKS) / BigInt(blockTimeMs);
  return final.number > blocks ? final.number - blocks : 0n;
}
