import type { OnrampOrderStatus } from '../port/onramp-provider.js';

/**
 * States of an onramp transaction. A failed one leaves the order open: the customer may try again in a new session, with
 * another transaction, until the payment's own deadline.
 */
const STATUSES: ReadonlyMap<string, OnrampOrderStatus> = new Map([
  ['ONRAMP_TRANSACTION_STATUS_CREATED', 'CREATED'],
  ['ONRAMP_TRANSACTION_STATUS_AWAITING_AUTH', 'AWAITING_PAYMENT'],
  ['ONRAMP_TRANSACTION_STATUS_AWAITING_PAYMENT', 'AWAITING_PAYMENT'],
  ['ONRAMP_TRANSACTION_STATUS_FAILED', 'AWAITING_PAYMENT'],
  ['ONRAMP_TRANSACTION_STATUS_IN_PROGRESS', 'PROCESSING'],
  ['ONRAMP_TRANSACTION_STATUS_SUCCESS', 'DELIVERED'],
]);

export const transactionStatus = (status: string): OnrampOrderStatus =>
  STATUSES.get(status) ?? 'UNKNOWN';

export const isFailed = (status: string): boolean => status === 'ONRAMP_TRANSACTION_STATUS_FAILED';
