import type { PaymentStatus } from '../http/payments.js';
import type { TokenIdentifier } from '../http/wire.js';
import type { SendersState } from './payment-events.js';

/** Whether the service refuses to move a payment's money. A `COMPLETE` one is frozen by its senders, and keeps its status. */
export const isFrozen = (payment: {
  status: PaymentStatus;
  senders: SendersState | null;
}): boolean => payment.status === 'TAINTED' || payment.senders === 'TAINTED';

/** Whether the service refuses to move one of these tokens of a payment. */
export const isFrozenFor = (
  payment: Parameters<typeof isFrozen>[0] & { frozenTokens: readonly TokenIdentifier[] },
  tokens: readonly TokenIdentifier[],
): boolean => {
  const wanted = new Set(tokens.map((token) => token.toLowerCase()));
  return isFrozen(payment) || payment.frozenTokens.some((token) => wanted.has(token.toLowerCase()));
};
