import { ownerSigner, secondedRefusal } from '@bascule/chain';
import type { Chain, SignatureClaim } from '@bascule/chain';
import { ChainUnreadableError } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';

/** Verifies owners' signatures; two of several nodes must refuse one. */
@Injectable()
export class OwnerSignatureClient {
  async isValid(chain: Chain, claim: SignatureClaim): Promise<boolean> {
    try {
      const signer = await secondedRefusal(
        chain,
        (view) => ownerSigner(view, claim),
        (found) => found === null,
      );
      return signer !== null;
    } catch (error) {
      throw new ChainUnreadableError(chain.name, error);
    }
  }
}
