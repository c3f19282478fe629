import { answersOfNodes, witnessesNeeded } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import type { Address } from 'viem';
import type { TokenPair, Venue } from './venue.js';

/** Lists the pairs that a venue converts, without those that two nodes deny. @throws when no node answers */
export async function agreedPairs(
  venue: Pick<Venue, 'pairs'>,
  chain: Chain,
  tokens: readonly Address[],
): Promise<TokenPair[]> {
  const answers = await answersOfNodes(chain, (view) => venue.pairs(view, tokens));
  const said = Map.groupBy(answers.flat(), (pair) => pair.join());
  return [...said.values()].flatMap((alike) =>
    answers.length - alike.length < witnessesNeeded(chain) ? alike.slice(0, 1) : [],
  );
}
