import type { OnrampOrder, OnrampOrderStatus } from '../port/onramp-provider.js';

const PROGRESS: Readonly<Record<OnrampOrderStatus, number>> = {
  DELIVERED: 4,
  PROCESSING: 3,
  // May be paid, so it hides a failed attempt.
  UNKNOWN: 2,
  AWAITING_PAYMENT: 1,
  CREATED: 0,
  FAILED: 0,
  REFUNDED: 0,
};

/** State of an order by the customer's attempts, newest first: the one that got furthest. Undefined without any. */
export const furthest = (attempts: readonly OnrampOrder[]): OnrampOrder | undefined =>
  attempts.reduce<OnrampOrder | undefined>(
    (one, other) => (one && PROGRESS[one.status] >= PROGRESS[other.status] ? one : other),
    undefined,
  );
