import { testimonies, witnessesNeeded } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';

/** A contract's value that never changes. */
export interface FixedAnswer<T> {
  answer: T;
  /** False for the word of the only node of several that answers. */
  isWitnessed: boolean;
}

/**
 * Reads a value that is fixed at deployment, by all nodes.
 * @param what names the value in errors
 * @throws when nodes disagree, or none answers
 */
export async function fixedAnswer<T>(
  chain: Pick<Chain, 'name' | 'endpoints'>,
  what: string,
  read: (node: EndpointClient) => Promise<T>,
): Promise<FixedAnswer<T>> {
  const [told, other] = await testimonies(chain.endpoints, read, String);
  if (told === undefined || other?.witnesses === told.witnesses) {
    throw new Error(`endpoints of ${chain.name} disagree about ${what}`);
  }
  return { answer: told.answer, isWitnessed: told.witnesses >= witnessesNeeded(chain) };
}
