import { finalBlock, testimonyOf } from '@bascule/chain';
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
  const testimony = await testimonyOf(chain, async (node) => {
    const said = node === block.node ? seen : await observeAt({ ...block, node });
    return JSON.stringify(said) === JSON.stringify(seen);
  });
  if (testimony === 'witnessed') return seen;
  throw new Error(`no second node of ${chain.name} says that a withdrawal is over`);
}
