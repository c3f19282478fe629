import type { BridgeTransfer, BridgeTransferStatus } from '@bascule/venues';
import { applyTrigger } from './apply-trigger.js';
import { failFrom, legAt, withLeg } from './legs.js';
import { hasArrived } from './open-transfers.js';
import { refundLanded } from './order-refunds.js';
import type {
  Leg,
  LegFailure,
  LegSettlement,
  LegTransfer,
  PaymentRecord,
} from './payment-record.js';
import type { PaymentPolicy } from './policy.js';

const UNFILLED: LegFailure = {
  reason: 'bridge',
  message: 'Nobody delivered on the other chain in time.',
};

/** A leg that bridges has its confirmations: the money waits for whoever delivers it on the other chain. */
export function legBridged(
  payment: PaymentRecord,
  index: number,
  settlement: LegSettlement,
  transfer: BridgeTransfer,
  transactionHash: string,
  now: Date,
): PaymentRecord {
  const leg = legAt(payment, index);
  const known = leg.transfer;
  // What arrived stays with the transfer that brought it, whatever its own chain has become since.
  if (leg.status === 'COMPLETE' || known?.status === 'FILLED') return payment;
  const settled = { settlement, transactionHash, failure: leg.failure };
  if (known?.transfer.id === transfer.id) {
    const isSame = leg.settlement?.blockNumber === settlement.blockNumber;
    return isSame ? payment : withLeg(payment, index, settled);
  }
  const hasFailed = leg.status === 'FAILED';
  const bridged = withLeg(payment, index, {
    ...settled,
    status: hasFailed ? 'FAILED' : 'BRIDGING',
    failure: hasFailed ? leg.failure : null,
    transfer: { transfer, status: 'OPEN', filled: null, refunded: null },
    dueAt: now,
  });
  return withMoneyAcross(bridged, now);
}

/** A withdrawal that landed beside the leg seemed to have left nothing. */
function withMoneyAcross(payment: PaymentRecord, now: Date): PaymentRecord {
  if (payment.status !== 'WITHDRAWN') return payment;
  const isBlamed = payment.withdrawals.some(({ landed, acceptBlame }) => landed && acceptBlame);
  return applyTrigger(payment, isBlamed ? 'money_found_blamed' : 'money_found', now);
}

/**
 * What the bridge says of a transfer; the same payment when that is nothing new, or about a transfer that the leg has
 * lost.
 */
export function transferSeen(
  payment: PaymentRecord,
  index: number,
  { id, seen }: { id: string; seen: BridgeTransferStatus },
  policy: PaymentPolicy,
  now: Date,
): PaymentRecord {
  const { transfer: known } = legAt(payment, index);
  if (known?.transfer.id !== id) return payment;
  switch (seen.kind) {
    case 'unknown':
    case 'lost':
      return payment;
    case 'open':
      return known.status === 'OPEN' ? payment : become(payment, index, known, { status: 'OPEN' });
    case 'filled': {
      const { kind: _, ...filled } = seen;
      if (known.filled?.transactionHash === filled.transactionHash) return payment;
      return become(payment, index, known, { status: 'FILLED', filled });
    }
    case 'unfilled':
      if (known.status === 'UNFILLED') return payment;
      return unfilled(become(payment, index, known, { status: 'UNFILLED' }), index);
    case 'refunded': {
      const { kind: _, ...refunded } = seen;
      if (known.refunded?.transactionHash === refunded.transactionHash) return payment;
      const back = become(payment, index, known, { status: 'REFUNDED', refunded });
      return refundLanded(unfilled(back, index), index, refunded, policy, now);
    }
  }
}

const become = (
  payment: PaymentRecord,
  index: number,
  { transfer }: LegTransfer,
  change: Partial<LegTransfer>,
): PaymentRecord =>
  withLeg(payment, index, {
    transfer: { transfer, status: 'OPEN', filled: null, refunded: null, ...change },
  });

/** No failure of the payment yet: that follows when nothing of the owner's is under way. See derive. */
const unfilled = (payment: PaymentRecord, index: number): PaymentRecord =>
  legAt(payment, index).status === 'BRIDGING' ? failFrom(payment, index, UNFILLED) : payment;

/** Legs whose transfers have all arrived have done their part. */
export function completeBridged(payment: PaymentRecord): PaymentRecord {
  const hasDone = (leg: Leg): boolean => leg.status === 'BRIDGING' && hasArrived(payment, leg);
  if (!payment.legs.some(hasDone)) return payment;
  const legs = payment.legs.map((leg): Leg =>
    hasDone(leg) ? { ...leg, status: 'COMPLETE', dueAt: null } : leg,
  );
  return { ...payment, legs };
}
