import type { PlannedFunding } from '@bascule/contracts';
import { applyTrigger, reportedStatus } from './transitions.js';
import type { Checkout, CheckoutStatus, PaymentRecord } from './payment-record.js';

export type PlannedOnramp = Extract<PlannedFunding, { kind: 'onramp' }>;

/** A provider's answer about its order: a reason to wait, never to pay out. */
export interface ReportedOrder {
  readonly status: CheckoutStatus;
  readonly paidAt: Date | null;
  readonly transactionHash: string | null;
  readonly failure: string | null;
  /** Time at which the question was sent. */
  readonly askedAt: Date;
}

/** The customer's money was not taken, or was given back. */
const LOST_ORDERS: ReadonlySet<CheckoutStatus> = new Set(['FAILED', 'REFUNDED']);

const PAID: ReadonlySet<CheckoutStatus> = new Set(['PROCESSING', 'DELIVERED']);

/** True once no later answer of the provider can matter. */
const isOrderOver = (status: CheckoutStatus): boolean =>
  status === 'DELIVERED' || LOST_ORDERS.has(status);

/** Records that an order is about to be opened, before the provider is called. */
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

/** Records the opened order, or the new page of an open one. */
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
 * Records the provider's answer; returns the same payment where nothing changed. A failed or refunded order fails the
 * payment, unless a deposit has arrived: then the chain decides.
 */
export function checkoutReported(
  payment: PaymentRecord,
  order: ReportedOrder,
  now: Date,
): PaymentRecord {
  const { checkout } = payment;
  if (checkout === null) return payment;
  // A paid order that was never begun is none: its provider has not found it this time.
  if (order.status === 'CREATED' && checkout.paidAt !== null) {
    return checkoutReported(payment, { ...order, status: 'UNKNOWN' }, now);
  }
  const reported: Checkout = {
    ...checkout,
    status: order.status,
    paidAt: paidAt(payment, checkout, order),
    transactionHash: order.transactionHash ?? checkout.transactionHash,
    failure: order.failure,
    polledAt: answeredAt(order) ?? checkout.polledAt,
  };
  if (saysTheSame(checkout, reported)) return payment;
  const updated = { ...payment, checkout: reported };
  const isLost = LOST_ORDERS.has(order.status) && payment.deposits.length === 0;
  return isLost ? applyTrigger(updated, 'step_failed', now) : updated;
}

/** Time of an answer that states the order's status; `UNKNOWN` is no answer. */
export const answeredAt = ({ status, askedAt }: ReportedOrder): Date | null =>
  status === 'UNKNOWN' ? null : askedAt;

/**
 * Keeps the first reported time. Money returned to the customer counts as unpaid, as does an attempt that failed, unless
 * the payment is funded. Without a time, it is that of the last answer before: the customer may have paid just after it.
 */
function paidAt(payment: PaymentRecord, checkout: Checkout, order: ReportedOrder): Date | null {
  if (LOST_ORDERS.has(order.status)) return null;
  if (order.status === 'AWAITING_PAYMENT' && payment.fundedInFullAt === null) return order.paidAt;
  if (checkout.paidAt !== null) return checkout.paidAt;
  const since = checkout.polledAt ?? order.askedAt;
  return order.paidAt ?? (PAID.has(order.status) ? since : null);
}

const saysTheSame = (one: Checkout, other: Checkout): boolean =>
  one.status === other.status &&
  one.paidAt?.getTime() === other.paidAt?.getTime() &&
  one.transactionHash === other.transactionHash &&
  one.failure === other.failure;

/** Makes an order due again whose polls ended, and whose payment a reorg or a withdrawal has made wait for money. */
export function resumePolls(payment: PaymentRecord, now: Date): PaymentRecord {
  const { checkout, fundedInFullAt } = payment;
  if (checkout?.checkoutId == null || checkout.dueAt !== null) return payment;
  const isAwaited = fundedInFullAt === null && reportedStatus(payment, false) === 'PENDING';
  if (!isAwaited || isOrderOver(checkout.status)) return payment;
  return { ...payment, checkout: { ...checkout, dueAt: now } };
}

interface PollTiming {
  readonly intervalMs: number;
  /** Time of the provider's latest answer; null without one. */
  readonly answeredAt: Date | null;
}

/**
 * Time of the next question to the provider; null once its answer cannot matter. After the funding it is asked at
 * growing intervals which deposit it made, until it says that nothing was paid.
 */
export function nextPoll(
  payment: PaymentRecord,
  now: Date,
  { intervalMs, answeredAt }: PollTiming,
): Date | null {
  const { checkout, fundedInFullAt, declarationExpiresAt } = payment;
  if (checkout === null || isOrderOver(checkout.status)) return null;
  if (fundedInFullAt !== null) {
    const wasUnpaid =
      checkout.paidAt === null && answeredAt !== null && answeredAt > fundedInFullAt;
    if (wasUnpaid || now >= declarationExpiresAt) return null;
    const elapsed = now.getTime() - fundedInFullAt.getTime();
    return new Date(now.getTime() + Math.max(intervalMs, elapsed));
  }
  if (reportedStatus(payment, false) !== 'PENDING') return null;
  return new Date(now.getTime() + intervalMs);
}
