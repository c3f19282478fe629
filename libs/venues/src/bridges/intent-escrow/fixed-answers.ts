import { testimonies, witnessesNeeded } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { LRUCache } from 'lru-cache';

/** A contract's value that never changes. */
export interface FixedAnswer<T> {
  answer: T;
  /** False for the word of the only node of several that answers. */
  isWitnessed: boolean;
}

interface FixedQuestion<T> {
  /** Names the value among those of the chain. */
  key: string;
  /** Names the value in errors. */
  what: string;
  read: (node: EndpointClient) => Promise<T>;
}

/** Values that are kept; a lying attester may invent any number of signers. */
const CAPACITY = 10_000;

/** Values that are fixed at deployment; cached once two nodes tell them alike, or the only one. */
export class FixedAnswers<T extends bigint | boolean> {
  private readonly known = new LRUCache<string, FixedAnswer<T>>({ max: CAPACITY });

  /** @throws when nodes disagree, or none answers */
  async get(
    chain: Pick<Chain, 'name' | 'endpoints'>,
    { key, what, read }: FixedQuestion<T>,
  ): Promise<FixedAnswer<T>> {
    const name = `${chain.name} ${key}`;
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const [told, other] = await testimonies(chain.endpoints, read, String);
    if (told === undefined || other?.witnesses === told.witnesses) {
      throw new Error(`endpoints of ${chain.name} disagree about ${what}`);
    }
    const found = { answer: told.answer, isWitnessed: told.witnesses >= witnessesNeeded(chain) };
    if (found.isWitnessed) this.known.set(name, found);
    return found;
  }
}
