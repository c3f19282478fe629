import type { IntentOrder, SmallestUnits } from '@bascule/contracts';

/** Refund that an `INTENT` withdrawal makes, as stored and published. */
export interface StoredRefund {
  order_id: string;
  escrow: string;
  order: IntentOrder['order'];
  recipient: string;
  fee_receiver: string;
  /** Smallest units of the order's token. */
  fee: SmallestUnits;
  /** Unix seconds. */
  valid_until: string;
}
