import type { Chain } from '@bascule/chain';
import { intentEscrowAbi } from '@bascule/solidity';
import { fixedAnswer } from './fixed-answer.js';
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
    const { answer: seconds, isWitnessed } = await fixedAnswer(chain, 'the fill window', (node) =>
      node.readContract({ ...contract, functionName: 'fillWindow' }),
    );
    const window = { seconds, isWitnessed };
    if (isWitnessed) this.known.set(chain.name, window);
    return window;
  }
}
