import { testimonies, witnessesNeeded } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { intentEscrowAbi } from '@bascule/solidity';
import { escrowOn } from './transfer-status.js';

export interface FillWindow {
  seconds: bigint;
  /** False for the word of the only node of several that answers, which refuses nothing. */
  isWitnessed: boolean;
}

/** Caches each escrow's fill window that two nodes tell alike, or the only one; it is fixed at deployment. */
export class FillWindows {
  private readonly known = new Map<string, FillWindow>();

  /** @throws when nodes disagree, or none answers */
  async get(chain: Chain): Promise<FillWindow> {
    const known = this.known.get(chain.name);
    if (known !== undefined) return known;
    const contract = { address: escrowOn(chain), abi: intentEscrowAbi } as const;
    const read = (node: EndpointClient) =>
      node.readContract({ ...contract, functionName: 'fillWindow' });
    const [told, other] = await testimonies(chain.endpoints, read, String);
    if (told === undefined || other?.witnesses === told.witnesses) {
      throw new Error(`endpoints of ${chain.name} disagree about the fill window`);
    }
    const isWitnessed = told.witnesses >= witnessesNeeded(chain);
    const window = { seconds: told.answer, isWitnessed };
    if (isWitnessed) this.known.set(chain.name, window);
    return window;
  }
}
