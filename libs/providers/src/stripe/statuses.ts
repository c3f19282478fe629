import type { OnrampOrderStatus } from '../port/onramp-provider.js';

/** States of a session. `rejected` is final: Stripe does not accept the customer. */
const STATUSES: ReadonlyMap<string, OnrampOrderStatus> = new Map([
  ['initialized', 'CREATED'],
  ['requires_payment', 'AWAITING_PAYMENT'],
  ['fulfillment_processing', 'PROCESSING'],
  ['fulfillment_complete', 'DELIVERED'],
  ['rejected', 'FAILED'],
]);

export const sessionStatus = (status: string): OnrampOrderStatus =>
  STATUSES.get(status) ?? 'UNKNOWN';
