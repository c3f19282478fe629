import type { OnrampOrderStatus } from '../port/onramp-provider.js';

/**
 * States of a buy order. One that failed leaves our order open: the payment's link leads to a new page, with another
 * order of Transak, until the payment's own deadline. A customer who says that he has paid has not paid yet.
 */
const STATUSES: ReadonlyMap<string, OnrampOrderStatus> = new Map([
  ['AWAITING_PAYMENT_FROM_USER', 'AWAITING_PAYMENT'],
  ['PAYMENT_DONE_MARKED_BY_USER', 'AWAITING_PAYMENT'],
  ['PROCESSING', 'PROCESSING'],
  ['PENDING_DELIVERY_FROM_TRANSAK', 'PROCESSING'],
  ['ON_HOLD_PENDING_DELIVERY_FROM_TRANSAK', 'PROCESSING'],
  ['COMPLETED', 'DELIVERED'],
  ['FAILED', 'AWAITING_PAYMENT'],
  ['CANCELLED', 'AWAITING_PAYMENT'],
  ['EXPIRED', 'AWAITING_PAYMENT'],
  ['REFUNDED', 'REFUNDED'],
]);

/** All states, since Transak lists completed orders only where none are named. */
export const ORDER_STATES: readonly string[] = [...STATUSES.keys()];

export const statusOfOrder = (status: string): OnrampOrderStatus =>
  STATUSES.get(status) ?? 'UNKNOWN';
