import type { OnrampOrderStatus } from '../port/onramp-provider.js';

/** The sandbox's states of an order. */
const STATUSES: ReadonlyMap<string, OnrampOrderStatus> = new Map([
  ['open', 'CREATED'],
  ['awaiting_payment', 'AWAITING_PAYMENT'],
  ['payment_received', 'PROCESSING'],
  ['sending', 'PROCESSING'],
  ['completed', 'DELIVERED'],
  ['declined', 'FAILED'],
  ['expired', 'FAILED'],
  ['failed', 'FAILED'],
  ['refunded', 'REFUNDED'],
]);

export const orderStatus = (status: string): OnrampOrderStatus => STATUSES.get(status) ?? 'UNKNOWN';
