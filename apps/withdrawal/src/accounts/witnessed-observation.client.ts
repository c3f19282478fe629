import { finalBlock, hasWitness } from '@bascule/chain';
import type { Chain, FinalBlock } from '@bascule/chain';
import type { Observation } from './withdrawal-account.js';

/**
 * Observes a withdrawal at the newest final block. What ends it needs a second node, where several are configured: one
 * that lies or is on a fork settles nothing.
 * @throws when no second node says the same
 */
export async function witnessedObservation(
  chain: Chain,
  observeAt: (block: FinalBlock) => Promise<Observation>,
): Promise<Observation> {
  const block = await finalBlock(chain);
  const seen = await observeAt(block);
  if (seen.state === 'open' && !seen.isExpired) return seen;
  const isSame = await hasWitness(chain, block.node, async (node) => {
    const other = await observeAt({ ...block, node });
    return JSON.stringify(other) === JSON.stringify(seen);
  });
  if (!isSame) throw new Error(`no second node of ${chain.name} says that a withdrawal is over`);
  return seen;
}
