import type { Leg, PaymentRecord, Withdrawal } from './payment-record.js';
import { withdrawalSince } from './wallet-ledger.js';
import { isRefundArriving } from './wallet-refunds.js';

/** The bridge holds the money: a delivery or a refund is still to come. */
export const isInBridge = ({ transfer }: Leg): boolean =>
  transfer?.status === 'OPEN' || transfer?.status === 'UNFILLED';

/** Delivered, and found by the scanner in a final block of the destination chain. */
export function hasArrived({ deposits }: PaymentRecord, { transfer }: Leg): boolean {
  if (transfer?.filled == null) return false;
  const { transactionHash } = transfer.filled;
  return deposits.some(
    (deposit) =>
      deposit.confirmed &&
      deposit.sum === undefined &&
      deposit.token === transfer.transfer.outputToken &&
      deposit.transactionHash === transactionHash,
  );
}

/** Money of the owner that is in no wallet now. */
export const isAcross = (payment: PaymentRecord, leg: Leg): boolean =>
  isInBridge(leg) || isRefundArriving(payment, leg) || isDeliveryArriving(payment, leg);

/** Delivered to the wallet, where neither a final deposit nor a later withdrawal counts it yet. */
const isDeliveryArriving = (payment: PaymentRecord, leg: Leg): boolean => {
  const { status, transfer } = leg;
  if (transfer?.filled == null || status === 'COMPLETE' || hasArrived(payment, leg)) return false;
  const { destinationChain } = transfer.transfer;
  return !withdrawalSince(payment, destinationChain, transfer.filled.blockNumber);
};

/** The bridge is still polled, also for a delivery that a reorg removed. */
export const isPolled = (payment: PaymentRecord, leg: Leg): boolean =>
  leg.status === 'BRIDGING' ||
  isInBridge(leg) ||
  (leg.transfer?.status === 'FILLED' && !hasArrived(payment, leg));

export const legOfTransfer = (
  { legs }: PaymentRecord,
  transferId: string | null,
): Leg | undefined => legs.find(({ transfer }) => transfer?.transfer.id === transferId);

/** The transfer is refunded, by this withdrawal or by another one. */
export const isTransferRefunded = (payment: PaymentRecord, { transferId }: Withdrawal): boolean =>
  legOfTransfer(payment, transferId)?.transfer?.status === 'REFUNDED';
