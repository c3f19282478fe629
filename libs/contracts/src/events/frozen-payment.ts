import type { PaymentStatus } from '../http/payments.js';
import type { SendersState } from './payment-events.js';

/** Whether the service refuses to move a payment's money. A `COMPLETE` one is frozen by its senders, and keeps its status. */
export const isFrozen = (payment: { status: PaymentStatus; senders: SendersState }): boolean =>
  payment.status === 'TAINTED' || payment.senders === 'TAINTED';
