import type { TransferStatus } from '../bridges/bridge-transfer.js';
import type { Payment, TokenUnits } from '../http/payments.js';
import type { SmallestUnits, TokenIdentifier } from '../http/wire.js';
import type { EventEnvelope, Versioned } from './envelope.js';

/** An order as a refund needs it: integers as decimal strings, times in unix seconds. */
export interface OrderBody {
  /** One-time wallet on the origin chain that opened the order. */
  wallet: string;
  /** Owner of the payment. */
  owner: string;
  /** EIP-155 id of the chain of the escrow. */
  origin_chain_id: string;
  /** Address of the token in the escrow. */
  input_token: string;
  /** Amount in the escrow, in smallest units of the input token. */
  input_amount: string;
  /** EIP-155 id of the chain of the delivery. */
  destination_chain_id: string;
  /** Address of the token to deliver. */
  output_token: string;
  /** Address that receives the delivery. */
  recipient: string;
  /** Minimum delivery, in smallest units of the output token. */
  minimum: string;
  /** Number that makes the order unique. */
  nonce: string;
  /** Last second for a delivery, by the destination chain's clock: unix seconds. */
  fill_deadline: string;
  /** Time from which an undelivered order is refundable without attesters: unix seconds. */
  expires: string;
  /** Contract that attests deliveries to the escrow. */
  oracle: string;
}

/**
 * Status of an order in final blocks. `OPEN`: can still be delivered. `FILLED`: delivered. `UNFILLED`: can never be
 * delivered, and is refundable. `REFUNDED`: paid back. `LOST`: released without a delivery, nothing is refundable.
 */
export type IntentOrderStatus = TransferStatus;

/** Order of the payment in the intent escrow: the `INTENT` account. */
export interface IntentOrder {
  /**
   * Index of the leg in the payment's declaration, from 0.
   * @asType integer
   */
  leg_index: number;
  /** Chain of the escrow that holds the money. */
  chain: string;
  /** Address of the escrow contract. */
  escrow: string;
  /** Hash of the order, its id in the escrow. */
  order_id: string;
  /** The order as the escrow's calls take it. */
  order: OrderBody;
  /** Token in the escrow. */
  token: TokenIdentifier;
  /** Amount in the escrow. */
  amount: SmallestUnits;
  /** Status in the chains' final blocks. */
  status: IntentOrderStatus;
  /** Amount delivered on the destination chain, once `FILLED`. */
  filled_amount?: SmallestUnits;
}

/**
 * Screening of the senders of a payment's deposits. `CLEAR`: nothing to wait for. `WAITING`: senders of deposits beyond the
 * limit have no verdict yet. `TAINTED`: final deposits of sanctioned senders exceed the limit, whatever the status.
 */
export type SendersState = 'CLEAR' | 'WAITING' | 'TAINTED';

/** Withdrawal from the payment's wallet in a final block. */
export interface MinedWithdrawal {
  /** Chain of the wallet. */
  chain: string;
  /** Nonce of the owner's authorization, in decimal digits. */
  nonce: string;
  /** Transaction that executed it. */
  transaction_hash: string;
}

/** A payment after one of its changes. */
export interface PaymentState extends Versioned {
  /** As `GET /payments` shows it, without what depends on the viewer (`next_instruction`). */
  payment: Omit<Payment, 'next_instruction'>;
  /** Amount that must arrive in the one-time wallet. */
  required_deposit: TokenUnits;
  /** Absent in events from before payments crossed chains. */
  intent_orders?: IntentOrder[];
  /** Absent in events of older versions, and then unknown: another event tells it. */
  senders?: SendersState;
  /**
   * Tokens outside the payment's plan that came without a price from sanctioned senders: no sum tells how much that was, so
   * they taint nothing, but are not withdrawn. Absent without any.
   */
  frozen_tokens?: TokenIdentifier[];
  /** Tokens in the wallet by recorded facts, also those that the catalogue has delisted since. Absent without any. */
  held_tokens?: TokenIdentifier[];
  /**
   * Money in the wallet by recorded facts, also of deposits that are not final yet. Absent without any, and in events of
   * older versions.
   */
  recorded_balances?: TokenUnits[];
  /**
   * Newest 20 withdrawals from the wallet in final blocks, whoever submitted them, the newest first. Absent without any,
   * and in events of older versions.
   */
  mined_withdrawals?: MinedWithdrawal[];
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
