import { ownerSigner } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { ChainUnreadableError } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import type { Address, Hex } from 'viem';

/** Verifies owners' signatures. */
@Injectable()
export class OwnerSignatureClient {
  async isValid(chain: Chain, owner: Address, digest: Hex, signature: Hex): Promise<boolean> {
    try {
      return (await ownerSigner(chain, { owner, digest, signature })) !== null;
    } catch (error) {
      throw new ChainUnreadableError(chain.name, error);
    }
  }
}
