import type { Chain } from '@bascule/chain';
import { intentEscrowAbi } from '@bascule/solidity';
import { escrowOn } from './transfer-status.js';

/** How long the escrows leave for filling an order, in seconds; fixed when they were deployed, so read once. */
export class FillWindows {
  private readonly known = new Map<string, bigint>();

  async of(chain: Chain): Promise<bigint> {
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
