import { getAddress } from 'viem';
import type { Address } from 'viem';

/** Payment for which an owner is asked to sign; every signed text names all of it. */
export interface SignedPayment {
  /** Host of the deployment, as the user sees it. */
  service: string;
  orgId: string;
  owner: Address;
  paymentId: string;
  validUntil: Date;
}

/** Message that proves control of an address (EIP-191). Changing it invalidates signatures in flight. */
export const ownerText = (payment: SignedPayment): string =>
  [
    'Confirm that you control this address',
    '',
    `${payment.service} asks for this signature because a payment names your address as its owner: only the owner can recover the money if the payment fails.`,
    'The signature moves no money, approves no transfer and costs no fee.',
    '',
    `Service: ${payment.service}`,
    `Organisation: ${payment.orgId}`,
    `Owner: ${getAddress(payment.owner)}`,
    `Payment: ${payment.paymentId}`,
    'Purpose: EVM_OWNER',
    `Valid until: ${payment.validUntil.toISOString()}`,
  ].join('\n');

/** Text in the typed data of a simulated withdrawal. */
export const withdrawalText = (payment: SignedPayment, network: string): string =>
  `Prove that you could withdraw the money of payment ${payment.paymentId} on ${network}. ` +
  `This withdrawal is only simulated, and moves nothing. Service: ${payment.service}. ` +
  `Organisation: ${payment.orgId}. Owner: ${getAddress(payment.owner)}. ` +
  `Valid until: ${payment.validUntil.toISOString()}.`;
