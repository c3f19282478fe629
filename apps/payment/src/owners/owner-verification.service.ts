import { Chains, ownerSigner, witnessedView } from '@bascule/chain';
import type { SignatureClaim } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { readChain } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import { hashMessage } from 'viem';
import type { Address, Hex } from 'viem';
import { CHAIN_TIMEOUT_MS } from './chain-timeout.js';
import { isDelegation } from './owner-account.js';
import type { OwnerSigningChains } from './owner-account.js';
import { OwnerVerificationRepository } from './owner-verification.repository.js';
import type { VerifiedOwner } from './owner-verification.repository.js';
import { SignatureSupportClient } from './signature-support.client.js';

/** `wrong`: not the owner's signature. `missing`: of a contract that does not exist on these chains. */
export type OwnerVerdict =
  { kind: 'verified' } | { kind: 'wrong' } | { kind: 'missing'; chains: string[] };

export interface OwnerClaim {
  owner: Address;
  chains: OwnerSigningChains;
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
    private readonly support: SignatureSupportClient,
    private readonly context: ServiceContext,
  ) {}

  isVerified(owner: Address, { signing, others }: OwnerSigningChains): Promise<boolean> {
    return this.verifications.isVerified(owner, [signing, ...others]);
  }

  /**
   * Remembers the owner for the signing chain once that accepts the signature, whatever the other chains answer. Two of
   * several nodes must say the same about a contract.
   * @throws ServiceError 503 while a chain cannot be read
   */
  async verify({ owner, chains, text, signature, customer }: OwnerClaim): Promise<OwnerVerdict> {
    const { signing, others } = chains;
    const claim = { owner, digest: hashMessage(text), signature };
    const answer = witnessedView(this.chains.get(signing), (view) => ownerSigner(view, claim));
    const signer = await readChain(signing, CHAIN_TIMEOUT_MS, answer);
    if (signer === null) return { kind: 'wrong' };
    const remember = async (signed: readonly string[] | null): Promise<void> => {
      await this.verifications.remember({ address: owner, chains: signed, customer });
      this.context.logger.info({ owner, signer, chains: signed }, 'owner verified');
    };
    await remember(signer === 'key' ? null : [signing]);
    if (signer === 'key' || others.length === 0) return { kind: 'verified' };
    const missing = await this.missing(chains, claim);
    if (missing.length > 0) return { kind: 'missing', chains: missing };
    await remember(others);
    return { kind: 'verified' };
  }

  /** Chains on which the owner's contract neither exists nor is deployed by the signature; none for a key with code. */
  private async missing(
    { signing, others }: OwnerSigningChains,
    claim: SignatureClaim,
  ): Promise<string[]> {
    const delegates = witnessedView(this.chains.get(signing), async ({ client }) =>
      isDelegation(await client.getCode({ address: claim.owner })),
    );
    // An EIP-7702 account has a key, which signs on every chain.
    if (await readChain(signing, CHAIN_TIMEOUT_MS, delegates)) return [];
    const answers = await Promise.all(
      others.map((name) => this.support.answers(this.chains.get(name), claim)),
    );
    return others.filter((_, index) => answers[index] === false);
  }
}
