import type { PaymentRecord } from '../life-cycle/payment-record.js';

const SLOWLY_MS = { min: 30_000, max: 60_000 };
/** Money that nobody has taken back is looked at more rarely; whoever takes it back without us is noticed by that alone. */
const SHARE_OF_AGE = 10;

/** In how many milliseconds to look at a leg's transfer again. */
export function nextTransferLook(
  payment: PaymentRecord,
  legIndex: number,
  pollMs: number,
  now: Date,
): number {
  const known = payment.legs[legIndex]?.transfer;
  if (known?.status !== 'UNFILLED' || isBeingRefunded(payment, known.transfer.id)) return pollMs;
  const age = now.getTime() - known.transfer.fillDeadline.getTime();
  const slowly = Math.min(Math.max(age / SHARE_OF_AGE, SLOWLY_MS.min), SLOWLY_MS.max);
  return Math.max(Math.round(slowly), pollMs);
}

const isBeingRefunded = ({ withdrawals }: PaymentRecord, id: string): boolean =>
  withdrawals.some(
    ({ transferId: orderId, submitted, landed, status }) =>
      orderId === id &&
      submitted &&
      landed === null &&
      (status === 'PENDING' || status === 'SUCCESS'),
  );
