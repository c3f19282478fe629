import { testimonyOf, witnessedBlock } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { dateOf, readPointer } from './block-reader.client.js';
import { isSameBlock } from './scanned-chain.js';
import type { BlockPointer } from './scanned-chain.js';

/** Answers of the nodes about a block. */
export interface BlockTestimony {
  testimony: 'witnessed' | 'denied' | 'unclear';
  /** Nodes that have the block. */
  holders: EndpointClient[];
  /** Nodes that have another block, or another time of it, at its height. */
  deniers: EndpointClient[];
}

/** Asks all nodes about a block; those without any block at its height count only where it may be missing. */
export async function testimonyAboutBlock(
  chain: Chain,
  block: BlockPointer,
  { isMissingDenied = false } = {},
): Promise<BlockTestimony> {
  const holders: EndpointClient[] = [];
  const deniers: EndpointClient[] = [];
  const testimony = await testimonyOf(chain, async (node) => {
    const found = await readPointer(node, block.number);
    if (found === null && !isMissingDenied) throw new Error(`a node has no block ${block.number}`);
    const isHeld = found !== null && isSameBlock(found, block);
    (isHeld ? holders : deniers).push(node);
    return isHeld;
  });
  return { testimony, holders, deniers };
}

/**
 * Reads a block that two nodes have alike, or the only one.
 * @throws when no two agree, or none answers
 */
export async function witnessedPointer(chain: Chain, number: bigint): Promise<BlockPointer> {
  const { hash, timestamp } = await witnessedBlock(chain, { blockNumber: number });
  return { number, hash, timestamp: dateOf(timestamp) };
}
