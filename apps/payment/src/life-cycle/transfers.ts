import type { IntentOrderStatus } from '@bascule/contracts';
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
const FAILURES: Partial<Record<IntentOrderStatus, LegFailure>> = {
  UNFILLED,
  REFUNDED: UNFILLED,
  LOST: {
    reason: 'bridge',
    message: 'The escrow released the money although nobody delivered on the other chain.',
  },
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

/** What the bridge says of a transfer, and what was known of it when the bridge was asked. */
export interface TransferAnswer {
  readonly id: string;
  readonly asked: IntentOrderStatus;
  readonly seen: BridgeTransferStatus;
}

/**
 * The same payment when the answer is nothing new, about a transfer that the leg has lost, or older than what is
 * known.
 */
export function transferSeen(
  payment: PaymentRecord,
  index: number,
  { id, asked, seen }: TransferAnswer,
  policy: PaymentPolicy,
  now: Date,
): PaymentRecord {
  const leg = legAt(payment, index);
  const { transfer: known } = leg;
  if (known?.transfer.id !== id || seen.kind === 'unknown') return payment;
  switch (seen.kind) {
    case 'filled': {
      const { kind: _, ...filled } = seen;
      const isKnown = known.status === 'FILLED' && isSameTransaction(known.filled, filled);
      return isKnown ? payment : become(payment, index, known, { status: 'FILLED', filled });
    }
    case 'refunded': {
      const { kind: _, ...refunded } = seen;
      if (isSameTransaction(known.refunded, refunded)) return payment;
      const back = become(payment, index, known, { status: 'REFUNDED', refunded });
      return refundLanded(notDelivered(back), index, refunded, policy, now);
    }
    default: {
      // A delivery stands until the scanner finds that its chain has lost it, and who asked before it knows nothing of it.
      const isDelivered =
        known.status === 'FILLED' && (asked !== 'FILLED' || hasArrived(payment, leg));
      const status = STATUS[seen.kind];
      if (isDelivered || known.status === status) return payment;
      return notDelivered(become(payment, index, known, { status }));
    }
  }
}

const STATUS = { open: 'OPEN', unfilled: 'UNFILLED', lost: 'LOST' } as const;

const isSameTransaction = (
  known: { transactionHash: string } | null,
  told: { transactionHash: string },
) => known?.transactionHash === told.transactionHash;

const become = (
  payment: PaymentRecord,
  index: number,
  { transfer }: LegTransfer,
  change: Partial<LegTransfer>,
): PaymentRecord =>
  withLeg(payment, index, {
    transfer: { transfer, status: 'OPEN', filled: null, refunded: null, ...change },
  });

/** Legs whose transfers have arrived have done their part; those whose delivery was undone have it before them again. */
export const settleBridged = (payment: PaymentRecord): PaymentRecord =>
  notDelivered(asDelivered(payment));

function asDelivered(payment: PaymentRecord): PaymentRecord {
  const legs = payment.legs.map((leg): Leg => {
    if (leg.transfer === null) return leg;
    const isThere = hasArrived(payment, leg);
    if (leg.status === 'BRIDGING' && isThere) return { ...leg, status: 'COMPLETE', dueAt: null };
    const isUndone = leg.status === 'COMPLETE' && !isThere && !isUsed(payment, leg);
    return isUndone ? { ...leg, status: 'BRIDGING', dueAt: null } : leg;
  });
  return legs.every((leg, index) => leg === payment.legs[index]) ? payment : { ...payment, legs };
}

/** The next leg has taken the delivery, or a transaction that may take it is under way. */
function isUsed({ legs }: PaymentRecord, { index }: Leg): boolean {
  const next = legs[index + 1];
  return next !== undefined && (next.status === 'EXECUTING' || next.settlement !== null);
}

/** No failure of the payment yet: that follows when nothing of the owner's is under way. See derive. */
function notDelivered(payment: PaymentRecord): PaymentRecord {
  return payment.legs.reduce((changed, { index }) => {
    const { status, transfer } = legAt(changed, index);
    const failure = transfer === null ? undefined : FAILURES[transfer.status];
    return status === 'BRIDGING' && failure ? failFrom(changed, index, failure) : changed;
  }, payment);
}
