import { withdrawalNonce } from '@bascule/solidity';
import type { ServiceAuthorization } from '@bascule/solidity';
import type { Hex } from 'viem';
import { withdrawalText } from './owner-text.js';
import type { SignedPayment } from './owner-text.js';

export interface ProofChain {
  chainId: number;
  network: string;
}

/**
 * Withdrawal that an owner signs to prove that it could withdraw. It has no actions, and its nonce, which no real
 * withdrawal has, holds the payment's id and expires with the verification.
 */
export const withdrawalProof = (
  payment: SignedPayment,
  declarationHash: Hex,
  { chainId, network }: ProofChain,
): ServiceAuthorization => ({
  description: withdrawalText(payment, network),
  actions: [],
  nonce: withdrawalNonce(
    payment.paymentId,
    BigInt(Math.floor(payment.validUntil.getTime() / 1_000)),
  ),
  signatory_declaration_hash: declarationHash,
  chain_id: BigInt(chainId),
  accept_blame: false,
});
