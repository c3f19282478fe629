import type { Payment, TokenUnits } from '../http/payments.js';
import type { SmallestUnits, TokenIdentifier } from '../http/wire.js';
import type { EventEnvelope, Versioned } from './envelope.js';

/** An order as a refund needs it: integers as decimal strings, times in unix seconds. */
export interface OrderBody {
  wallet: string;
  owner: string;
  origin_chain_id: string;
  input_token: string;
  input_amount: string;
  destination_chain_id: string;
  output_token: string;
  recipient: string;
  minimum: string;
  nonce: string;
  fill_deadline: string;
  expires: string;
  oracle: string;
}

/**
 * `OPEN`: it may still be filled. `FILLED`: the wallet was paid on the other chain. `UNFILLED`: it never will be, and the
 * money can go back to the owner, now or soon. `REFUNDED`: it went back. `LOST`: the escrow released it although nobody
 * filled it.
 */
export type IntentOrderStatus = 'OPEN' | 'FILLED' | 'UNFILLED' | 'REFUNDED' | 'LOST';

/** Money of the payment that waits, or waited, in an escrow: the `INTENT` account. */
export interface IntentOrder {
  leg_index: number;
  /** Where the money is. */
  chain: string;
  escrow: string;
  order_id: string;
  order: OrderBody;
  token: TokenIdentifier;
  amount: SmallestUnits;
  /** As of the chains' final blocks. */
  status: IntentOrderStatus;
  /** What arrived on the other chain, once it is `FILLED`. */
  filled_amount?: SmallestUnits;
}

export interface PaymentState extends Versioned {
  /** As `GET /payments` shows it, without what depends on the viewer (`next_instruction`). */
  payment: Omit<Payment, 'next_instruction'>;
  /** What must arrive in the one-time wallet. */
  required_deposit: TokenUnits;
  /** Absent in events from before payments crossed chains. */
  intent_orders?: IntentOrder[];
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
