import type { PlannedFunding } from '@bascule/contracts';
import { applyTrigger } from './apply-trigger.js';
import type { Checkout, CheckoutStatus, PaymentRecord } from './payment-record.js';

export type PlannedOnramp = Extract<PlannedFunding, { kind: 'onramp' }>;

/** What a provider says of its order; its word about money is a reason to wait, never to pay out. */
export interface ReportedOrder {
  readonly status: CheckoutStatus;
  readonly paidAt: Date | null;
  readonly transactionHash: string | null;
  readonly failure: string | null;
  /** When the question was sent, so that nothing before it was missed. */
  readonly askedAt: Date;
}

const PAID: ReadonlySet<CheckoutStatus> = new Set(['PROCESSING', 'DELIVERED']);
const LOST: ReadonlySet<CheckoutStatus> = new Set(['FAILED', 'REFUNDED']);

/** Nothing that the provider could still say matters. */
export const isOrderOver = (status: CheckoutStatus): boolean =>
  status === 'DELIVERED' || LOST.has(status);

/** The intention to open an order, recorded before the provider is asked. */
export function checkoutRequested(payment: PaymentRecord, onramp: PlannedOnramp): PaymentRecord {
  if (payment.checkout !== null) return payment;
  return {
    ...payment,
    checkout: {
      provider: onramp.provider,
      method: onramp.method,
      checkoutId: null,
      url: null,
      urlExpiresAt: null,
      status: 'CREATED',
      paidAt: null,
      transactionHash: null,
      failure: null,
      polledAt: null,
      dueAt: null,
    },
  };
}

/** The provider opened the order, or gave the open one a new page. */
export function checkoutOpened(
  payment: PaymentRecord,
  opened: { checkoutId: string; url: string; expiresAt: Date; pollAt: Date },
): PaymentRecord {
  const { checkout } = payment;
  if (checkout === null || checkout.url === opened.url) return payment;
  return {
    ...payment,
    checkout: {
      ...checkout,
      checkoutId: opened.checkoutId,
      url: opened.url,
      urlExpiresAt: opened.expiresAt,
      dueAt: opened.pollAt,
    },
  };
}

/**
 * The same payment when the provider says nothing new. An order that is lost fails the payment, unless money has come
 * anyway: then the chain has the last word.
 */
export function checkoutReported(
  payment: PaymentRecord,
  order: ReportedOrder,
  now: Date,
): PaymentRecord {
  const { checkout } = payment;
  if (checkout === null) return payment;
  const reported: Checkout = {
    ...checkout,
    status: order.status,
    paidAt: paidAt(checkout, order),
    transactionHash: order.transactionHash ?? checkout.transactionHash,
    failure: order.failure,
    polledAt: answeredAt(order) ?? checkout.polledAt,
  };
  if (saysTheSame(checkout, reported)) return payment;
  const heard = { ...payment, checkout: reported };
  const isHopeless = LOST.has(order.status) && payment.deposits.length === 0;
  return isHopeless ? applyTrigger(heard, 'step_failed', now) : heard;
}

/** When the provider last knew how the order stands: not knowing is no answer to whether it was paid. */
export const answeredAt = ({ status, askedAt }: ReportedOrder): Date | null =>
  status === 'UNKNOWN' ? null : askedAt;

/** The first time that was heard stands; money that went back to the customer was not paid. */
function paidAt(checkout: Checkout, order: ReportedOrder): Date | null {
  if (LOST.has(order.status)) return null;
  return checkout.paidAt ?? order.paidAt ?? (PAID.has(order.status) ? order.askedAt : null);
}

const saysTheSame = (one: Checkout, other: Checkout): boolean =>
  one.status === other.status &&
  one.paidAt?.getTime() === other.paidAt?.getTime() &&
  one.transactionHash === other.transactionHash &&
  one.failure === other.failure;
