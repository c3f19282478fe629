import type { Chain, EndpointClient } from './chain.js';
import { agreedHead } from './head.js';

export interface FinalBlock {
  number: bigint;
  /** Knows the head above it: what it answers for this block is consistent in itself. */
  node: EndpointClient;
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
