import { finalBlock, witnessedAnswer } from '@bascule/chain';
import type { Chain, FinalBlock } from '@bascule/chain';
import type { Observation } from './withdrawal-account.js';

/**
 * Observes a withdrawal at the newest final block. Two nodes must say the same, where several are configured, so that one
 * that lies or is on a fork neither settles nor delays anything; one is enough while it is open and not doubted.
 * @param isDoubted whether an open withdrawal needs a second node, too
 * @throws NodesUnavailableError when no two say the same
 */
export async function witnessedObservation(
  chain: Chain,
  observeAt: (block: FinalBlock) => Promise<Observation>,
  isDoubted: boolean,
): Promise<Observation> {
  const block = await finalBlock(chain);
  const first = observeAt(block);
  const seen = await first.catch(() => null);
  if (seen?.state === 'open' && !seen.isExpired && !isDoubted) return seen;
  return witnessedAnswer(
    chain,
    (node) => (node === block.node ? first : observeAt({ ...block, node })),
    (said) => JSON.stringify(said),
  );
}
