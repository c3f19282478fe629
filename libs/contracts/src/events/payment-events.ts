import type { Payment, TokenUnits } from '../http/payments.js';
import type { EventEnvelope, Versioned } from './envelope.js';

export interface PaymentState extends Versioned {
  /** As `GET /payments` shows it, without what depends on the viewer (`next_instruction`). */
  payment: Omit<Payment, 'next_instruction'>;
  /** What must arrive in the one-time wallet. */
  required_deposit: TokenUnits;
}

export const PAYMENT_EVENT_TYPES = [
  'payment.confirmed',
  'payment.funded',
  'payment.updated',
  'payment.completed',
  'payment.failed',
  'payment.expired',
  'payment.withdrawn',
  'payment.tainted',
] as const;
export type PaymentEventType = (typeof PAYMENT_EVENT_TYPES)[number];
export type PaymentEvent = EventEnvelope<PaymentEventType, PaymentState>;
