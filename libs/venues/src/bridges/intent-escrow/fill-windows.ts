import type { Chain } from '@bascule/chain';
import { intentEscrowAbi } from '@bascule/solidity';
import { FixedAnswers } from './fixed-answers.js';
import { escrowOn } from './transfer-status.js';

export interface FillWindow {
  seconds: bigint;
  /** False for the word of the only node of several that answers, which refuses nothing. */
  isWitnessed: boolean;
}

/** Fill windows of the chains' escrows. */
export class FillWindows {
  private readonly windows = new FixedAnswers<bigint>();

  /** @throws when nodes disagree, or none answers */
  async get(chain: Chain): Promise<FillWindow> {
    const contract = { address: escrowOn(chain), abi: intentEscrowAbi } as const;
    const { answer: seconds, isWitnessed } = await this.windows.get(chain, {
      key: contract.address,
      what: 'the fill window',
      read: (node) => node.readContract({ ...contract, functionName: 'fillWindow' }),
    });
    return { seconds, isWitnessed };
  }
}
