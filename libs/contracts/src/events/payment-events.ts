import type { TransferStatus } from '../bridges/bridge-transfer.js';
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

export type IntentOrderStatus = TransferStatus;

/** Order of the payment in the intent escrow: the `INTENT` account. */
export interface IntentOrder {
  leg_index: number;
  /** Chain of the escrow that holds the money. */
  chain: string;
  escrow: string;
  order_id: string;
  order: OrderBody;
  token: TokenIdentifier;
  amount: SmallestUnits;
  /** Status in the chains' final blocks. */
  status: IntentOrderStatus;
  /** Amount delivered on the destination chain, once `FILLED`. */
  filled_amount?: SmallestUnits;
}

export interface PaymentState extends Versioned {
  /** As `GET /payments` shows it, without what depends on the viewer (`next_instruction`). */
  payment: Omit<Payment, 'next_instruction'>;
  /** Amount that must arrive in the one-time wallet. */
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
