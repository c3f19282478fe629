import type { Leg, PaymentRecord, Withdrawal } from './payment-record.js';

/** The money is in the bridge: it can still be delivered, or goes back to the owner. */
export const isInBridge = ({ transfer }: Leg): boolean =>
  transfer?.status === 'OPEN' || transfer?.status === 'UNFILLED';

/** Delivered, and found in the wallet by the scanner of that chain, for good. */
export function hasArrived({ deposits }: PaymentRecord, { transfer }: Leg): boolean {
  if (transfer?.filled == null) return false;
  const { transactionHash } = transfer.filled;
  return deposits.some(
    (deposit) =>
      deposit.confirmed &&
      deposit.token === transfer.transfer.outputToken &&
      deposit.transactionHash === transactionHash,
  );
}

/** Money of the owner's that is in no wallet now. */
export const isAcross = (payment: PaymentRecord, leg: Leg): boolean =>
  isInBridge(leg) ||
  (leg.transfer?.status === 'FILLED' && leg.status !== 'COMPLETE' && !hasArrived(payment, leg));

/** The bridge is still asked about it; also about a delivery that the other chain has lost again. */
export const isFollowed = (payment: PaymentRecord, leg: Leg): boolean =>
  leg.status === 'BRIDGING' ||
  isInBridge(leg) ||
  (leg.transfer?.status === 'FILLED' && !hasArrived(payment, leg));

export const legOfOrder = ({ legs }: PaymentRecord, orderId: string | null): Leg | undefined =>
  orderId === null ? undefined : legs.find(({ transfer }) => transfer?.transfer.id === orderId);

/** The chain has given the order's money back, by this withdrawal or by another one. */
export const isOrderRefunded = (payment: PaymentRecord, { orderId }: Withdrawal): boolean =>
  legOfOrder(payment, orderId)?.transfer?.status === 'REFUNDED';
