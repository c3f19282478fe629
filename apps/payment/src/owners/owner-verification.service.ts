import { Chains, ownerSigner } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { readChain } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import { hashMessage } from 'viem';
import type { Address, Hex } from 'viem';
import { CHAIN_TIMEOUT_MS } from './chain-timeout.js';
import { OwnerVerificationRepository } from './owner-verification.repository.js';
import type { VerifiedOwner } from './owner-verification.repository.js';

export interface OwnerClaim {
  owner: Address;
  /** Chain whose contract answers for an owner without a key. */
  chain: string;
  text: string;
  signature: Hex;
  customer: VerifiedOwner['customer'];
}

/** Verifies `EVM_OWNER` signatures, and remembers each owner at once, whatever becomes of the payment. */
@Injectable()
export class OwnerVerificationService {
  constructor(
    private readonly chains: Chains,
    private readonly verifications: OwnerVerificationRepository,
    private readonly context: ServiceContext,
  ) {}

  isVerified(owner: Address, chain: string): Promise<boolean> {
    return this.verifications.isVerified(owner, chain);
  }

  /**
   * Returns false for a signature that is not the owner's.
   * @throws ServiceError 503 while the chain cannot be read
   */
  async verify({ owner, chain, text, signature, customer }: OwnerClaim): Promise<boolean> {
    const claim = { owner, digest: hashMessage(text), signature };
    const answer = ownerSigner(this.chains.get(chain), claim);
    const signer = await readChain(chain, CHAIN_TIMEOUT_MS, answer);
    if (signer === null) return false;
    const signedChain = signer === 'key' ? null : chain;
    await this.verifications.remember({ address: owner, chain: signedChain, customer });
    this.context.logger.info({ owner, signer, chain }, 'owner verified');
    return true;
  }
}
