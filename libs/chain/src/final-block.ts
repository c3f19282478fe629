import type { Chain, EndpointClient } from './chain.js';
import type { ChainDefinition } from './definitions/chain-definition.js';
import { agreedHead } from './head.js';

export interface FinalBlock {
  number: bigint;
  /** Node that has the head above the block, so its responses are consistent. */
  node: EndpointClient;
}

/**
 * Finds the newest final block of a node, for irreversible statements. On chains with their own finality, no number of
 * confirmations replaces it.
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
 * Finds the newest block with the chain's confirmations, by two nodes where several are configured.
 * @param isLoneEnough for reads that may be wrong: one node is enough while the others do not answer
 * @throws when too few endpoints respond
 */
export async function finalBlock(
  chain: Pick<Chain, 'name' | 'endpoints' | 'definition'>,
  { isLoneEnough = false } = {},
): Promise<FinalBlock> {
  const head = await agreedHead(chain, { isWitnessed: !isLoneEnough });
  const [node] = head.endpoints;
  if (!node) throw new Error(`no RPC endpoint of ${chain.name} has the agreed head`);
  const depth = BigInt(chain.definition.confirmations) - 1n;
  return { number: head.number > depth ? head.number - depth : 0n, node };
}
