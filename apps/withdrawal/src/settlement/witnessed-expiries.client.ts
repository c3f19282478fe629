import { testimonies, witnessesNeeded } from '@bascule/chain';
import type { Chain, EndpointClient, FinalBlock } from '@bascule/chain';

/** State of a withdrawal in a final block: `open` before its expiry, then by whether it happened. */
export type ExpiryState = 'open' | 'unused' | 'used';

/**
 * Reads the states of withdrawals in a final block, all of them expired by our clock. Those that end there unused, or are
 * not expired there, need a second node, where several are configured.
 * @throws when no second node says the same
 */
export async function witnessedExpiries(
  chain: Chain,
  block: FinalBlock,
  readAt: (node: EndpointClient) => Promise<ExpiryState[]>,
): Promise<ExpiryState[]> {
  const first = readAt(block.node);
  const seen = await first.catch(() => null);
  if (seen?.every((state) => state === 'used')) return seen;
  const [most] = await testimonies(
    chain.endpoints,
    (node) => (node === block.node ? first : readAt(node)),
    (states) => states.join(),
  );
  if (most !== undefined && most.witnesses >= witnessesNeeded(chain)) return most.answer;
  throw new Error(`no second node of ${chain.name} says which withdrawals have expired`);
}
