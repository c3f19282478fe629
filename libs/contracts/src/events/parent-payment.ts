import { forbidden, notFound, unavailable } from '../http/errors.js';
import type { PaymentStatus } from '../http/payments.js';
import { isFrozen } from './frozen-payment.js';
import type { SendersState } from './payment-events.js';

/**
 * Returns a payment that the organisation may retry.
 * @throws ServiceError 404 for an unknown payment, 403 for another organisation's or a frozen one, 503 while its
 * senders are not known
 */
export function requireRetryable<
  T extends { orgId: string; status: PaymentStatus; senders: SendersState | null },
>(parent: T | null, orgId: string): T {
  if (parent === null) throw notFound('Parent payment not found.');
  if (parent.orgId !== orgId) {
    throw forbidden('The parent payment belongs to another organisation.');
  }
  if (isFrozen(parent)) {
    throw forbidden('The parent payment is frozen. It cannot be retried through the service.');
  }
  if (parent.senders === null) {
    throw unavailable('The parent payment is not known in whole yet. Try again.');
  }
  return parent;
}
