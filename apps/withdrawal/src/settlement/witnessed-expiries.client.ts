import { testimonies, witnessesNeeded } from '@bascule/chain';
import type { Chain, EndpointClient, FinalBlock } from '@bascule/chain';

/** State of a withdrawal in a final block: `open` before its expiry, then by whether it happened. */
export type ExpiryState = 'open' | 'unused' | 'used';

/**
 * Reads the states of withdrawals in a final block. Those that end there unused need a second node, where several are
 * configured.
 * @throws when no second node says the same
 */
export async function witnessedExpiries(
  chain: Chain,
  block: FinalBlock,
  readAt: (node: EndpointClient) => Promise<ExpiryState[]>,
): Promise<ExpiryState[]> {
  const seen = await readAt(block.node);
  if (chain.endpoints.length === 1 || !seen.includes('unused')) return seen;
  const [most] = await testimonies(
    chain.endpoints,
    (node) => (node === block.node ? Promise.resolve(seen) : readAt(node)),
    (states) => states.join(),
  );
  if (most !== undefined && most.witnesses >= witnessesNeeded(chain)) return most.answer;
  throw new Error(`no second node of ${chain.name} says which withdrawals have expired`);
}
