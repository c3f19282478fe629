import { legAt } from './legs.js';
import type { Leg, PaymentRecord, TransferRefund } from './payment-record.js';
import type { PaymentPolicy } from './policy.js';
import { isSameAddress, matchRefund } from './refund-match.js';
import { afterLanding } from './withdrawals.js';

/**
 * The chain gave an order's money back, whoever submitted that. The payment has nothing more to do, so what is left
 * elsewhere does not make it go on.
 */
export function refundLanded(
  payment: PaymentRecord,
  index: number,
  refund: TransferRefund,
  policy: PaymentPolicy,
  now: Date,
): PaymentRecord {
  const { transfer } = legAt(payment, index);
  const goesOn = isSameAddress(refund.recipient, payment.walletAddress);
  const matched = matchRefund(payment, transfer?.transfer.id ?? null);
  return afterLanding(matched, { isBlamed: true, goesOn }, policy, now);
}

/** Undoes what a reorganisation undid: the money is in the escrow again. */
export function forgetRefunds(
  payment: PaymentRecord,
  chain: string,
  fromBlock: bigint,
): PaymentRecord {
  const legs = payment.legs.map((leg): Leg => {
    const { transfer } = leg;
    const isUndone =
      transfer?.refunded != null &&
      transfer.transfer.originChain === chain &&
      transfer.refunded.blockNumber >= fromBlock;
    return isUndone
      ? { ...leg, transfer: { ...transfer, status: 'UNFILLED', refunded: null } }
      : leg;
  });
  return { ...payment, legs };
}
