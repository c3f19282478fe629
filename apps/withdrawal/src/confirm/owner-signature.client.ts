import { ownerSigner, secondedRefusal } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { ChainUnreadableError } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import type { Address, Hex } from 'viem';

/** Verifies owners' signatures; two of several nodes must refuse one. */
@Injectable()
export class OwnerSignatureClient {
  async isValid(chain: Chain, owner: Address, digest: Hex, signature: Hex): Promise<boolean> {
    try {
      const signer = await secondedRefusal(
        chain,
        (view) => ownerSigner(view, { owner, digest, signature }),
        (found) => found === null,
      );
      return signer !== null;
    } catch (error) {
      throw new ChainUnreadableError(chain.name, error);
    }
  }
}
