import { parseOrder } from '@bascule/solidity';
import type { Order, RefundInstruction } from '@bascule/solidity';
import type { Address, Hex } from 'viem';
import type { StoredRefund } from '../../life-cycle/stored-refund.js';

/** Refund of an order by the escrow, as its contract takes it. */
export interface Refund {
  orderId: Hex;
  escrow: Address;
  order: Order;
  instruction: RefundInstruction;
}

export const parseRefund = (stored: StoredRefund): Refund => ({
  orderId: stored.order_id as Hex,
  escrow: stored.escrow as Address,
  order: parseOrder(stored.order),
  instruction: {
    recipient: stored.recipient as Address,
    feeReceiver: stored.fee_receiver as Address,
    fee: BigInt(stored.fee),
    validUntil: BigInt(stored.valid_until),
  },
});
