import type { OnrampOrderStatus } from '../port/onramp-provider.js';

/**
 * States of a buy transaction. A failed one leaves the order open: its page takes another attempt, with another
 * transaction, until the payment's own deadline.
 */
const STATUSES: ReadonlyMap<string, OnrampOrderStatus> = new Map([
  ['waitingPayment', 'AWAITING_PAYMENT'],
  ['waitingAuthorization', 'AWAITING_PAYMENT'],
  ['failed', 'AWAITING_PAYMENT'],
  ['pending', 'PROCESSING'],
  ['completed', 'DELIVERED'],
]);

export const transactionStatus = (status: string): OnrampOrderStatus =>
  STATUSES.get(status) ?? 'UNKNOWN';
