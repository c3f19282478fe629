import type { VerificationReason } from '@bascule/contracts';
import type { Hex } from 'viem';
import { signingChain } from '../owners/owner-account.js';
import type { OwnerSigningChains } from '../owners/owner-account.js';
import type { SignedPayment } from '../owners/owner-text.js';
import type { Confirmation } from './payment-terms.js';
import { depositChain } from './payment-terms.js';

/** Content of a `verification_token`: all that the confirm needs once the owner has signed. */
export interface VerificationRequest {
  confirmation: Confirmation;
  required: VerificationReason[];
  /** Reasons whose signatures have been accepted; a subset of `required`. */
  passed: VerificationReason[];
  /** Hash of the declaration that the owner signs for. */
  declarationHash: Hex;
}

/** Payment as the signed texts name it; it dies with the quote. */
export const signedPayment = (
  { state, quote, ownerAddress }: Confirmation,
  service: string,
): SignedPayment => ({
  service,
  orgId: state.org_id,
  owner: ownerAddress,
  paymentId: quote.payment_id,
  validUntil: new Date(state.accept_by),
});

/** Chains on which the owner has to be able to sign, unless it is a key. A deployed contract has been checked on its others. */
export function ownerSigningChains({
  ownerChain,
  ownerChains,
  isUnsafeOwnerAllowed,
  plan,
}: Confirmation): OwnerSigningChains {
  const signing = signingChain(ownerChain ?? depositChain(plan), ownerChains);
  if (ownerChains !== null || isUnsafeOwnerAllowed) return { signing, others: [] };
  const onLegs = new Set(plan.legs.map(({ chain }) => chain));
  onLegs.delete(signing);
  return { signing, others: [...onLegs] };
}

/** Customer that the verified owner is linked with: only when secret keys vouch for it throughout. */
export const linkedCustomer = (
  { state }: Confirmation,
  isSecretKey: boolean,
): { orgId: string; customerId: string } | null => {
  const { customer_id } = state.quote_request;
  return customer_id !== undefined && isSecretKey && state.is_customer_vouched === true
    ? { orgId: state.org_id, customerId: customer_id }
    : null;
};
