import type { Chain, EndpointClient } from './chain.js';
import type { ChainDefinition } from './definitions/chain-definition.js';
import { agreedHead } from './head.js';

export interface FinalBlock {
  number: bigint;
  /** Knows the head above it: what it answers for this block is consistent in itself. */
  node: EndpointClient;
}

/**
 * The newest block that a node takes for final, on which a word may be built that cannot be taken back. On a chain
 * with finality of its own, confirmations are not enough for that, however many.
 */
export async function finalHeight(
  node: EndpointClient,
  { finality, confirmations }: ChainDefinition,
): Promise<bigint> {
  if (finality === 'finalized') {
    const { number } = await node.getBlock({ blockTag: 'finalized' });
    return number;
  }
  const head = await node.getBlockNumber({ cacheTime: 0 });
  const depth = BigInt(confirmations) - 1n;
  return head > depth ? head - depth : 0n;
}

/**
 * The newest block that has the chain's confirmations.
 * @throws when no endpoint answers.
 */
export async function finalBlock(chain: Chain): Promise<FinalBlock> {
  const head = await agreedHead(chain);
  const [node] = head.endpoints;
  if (!node) throw new Error(`no RPC endpoint of ${chain.name} has its agreed head`);
  const depth = BigInt(chain.definition.confirmations) - 1n;
  return { number: head.number > depth ? head.number - depth : 0n, node };
}
