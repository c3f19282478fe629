import { parseOrder } from '@bascule/solidity';
import type { Order, OrderJson, RefundInstruction } from '@bascule/solidity';
import type { Address, Hex } from 'viem';

/** What an `INTENT` withdrawal refunds, and how. */
export interface StoredRefund {
  order_id: Hex;
  escrow: Address;
  order: OrderJson;
  recipient: Address;
  fee_receiver: Address;
  /** In the order's token's smallest unit. */
  fee: string;
  /** Unix seconds. */
  valid_until: string;
}

export interface Refund {
  orderId: Hex;
  escrow: Address;
  order: Order;
  instruction: RefundInstruction;
}

export const refundOf = (stored: StoredRefund): Refund => ({
  orderId: stored.order_id,
  escrow: stored.escrow,
  order: parseOrder(stored.order),
  instruction: {
    recipient: stored.recipient,
    feeReceiver: stored.fee_receiver,
    fee: BigInt(stored.fee),
    validUntil: BigInt(stored.valid_until),
  },
});
