import type { TokenIdentifier } from '@bascule/contracts';
import type { PaymentRecord } from './payment-record.js';

/** Of a token in the payment's plan. */
export function decimalsOf(payment: PaymentRecord, token: TokenIdentifier): number {
  const decimals = payment.decimals[token];
  if (decimals === undefined) throw new Error(`payment ${payment.id} has no decimals of ${token}`);
  return decimals;
}
