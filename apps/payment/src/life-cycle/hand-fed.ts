import { depositsOfToken } from './funding.js';
import type { Checkout, CheckoutStatus, PaymentRecord } from './payment-record.js';
import { reportedStatus } from './transitions.js';

/** The customer's money was not taken, or was given back. */
export const LOST_ORDERS: ReadonlySet<CheckoutStatus> = new Set(['FAILED', 'REFUNDED']);

/**
 * True once tokens from elsewhere have paid for an onramp's payment: it is funded in full or has ended, and its checkout
 * was not paid until then. A checkout that is paid later changes nothing.
 */
export function isHandFed(payment: PaymentRecord): boolean {
  const { plan, fundedInFullAt } = payment;
  if (plan.funding.kind !== 'onramp' || depositsOfToken(payment).length === 0) return false;
  const isSettled = fundedInFullAt !== null || reportedStatus(payment, false) !== 'PENDING';
  return isSettled && isUnused(payment);
}

/** True while the provider has not said since the funding whether its order was paid. */
export const isFundingUnexplained = (payment: PaymentRecord): boolean =>
  payment.fundedInFullAt !== null && payment.checkout?.paidAt === null && !isUnused(payment);

function isUnused(payment: PaymentRecord): boolean {
  const { checkout, fundedInFullAt } = payment;
  if (checkout?.checkoutId == null) return true;
  if (checkout.paidAt !== null || hasDelivered(payment, checkout)) return false;
  if (LOST_ORDERS.has(checkout.status) || fundedInFullAt === null) return true;
  return checkout.polledAt !== null && checkout.polledAt > fundedInFullAt;
}

const hasDelivered = (payment: PaymentRecord, { transactionHash }: Checkout): boolean =>
  depositsOfToken(payment).some(
    (deposit) => deposit.transactionHash.toLowerCase() === transactionHash?.toLowerCase(),
  );
