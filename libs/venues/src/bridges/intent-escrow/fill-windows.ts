import type { Chain } from '@bascule/chain';
import { intentEscrowAbi } from '@bascule/solidity';
import { escrowOn } from './transfer-status.js';

/** Caches each escrow's fill window, in seconds; it is fixed at deployment. */
export class FillWindows {
  private readonly known = new Map<string, bigint>();

  async get(chain: Chain): Promise<bigint> {
    const known = this.known.get(chain.name);
    if (known !== undefined) return known;
    const read = await chain.client.readContract({
      address: escrowOn(chain),
      abi: intentEscrowAbi,
      functionName: 'fillWindow',
    });
    this.known.set(chain.name, read);
    return read;
  }
}
