import type { BridgeTransfer, BridgeTransferStatus, TransferStatus } from '@bascule/contracts';
import { applyTrigger } from './transitions.js';
import { failFrom, legAt, withLeg } from './legs.js';
import { hasArrived } from './open-transfers.js';
import { isWalletRefund, NO_WALLET_REFUND } from './wallet-refunds.js';
import { refundMined, walletRefunded, withdrawnAgain } from './withdrawals.js';
import type {
  Leg,
  LegFailure,
  LegSettlement,
  LegTransfer,
  PaymentRecord,
} from './payment-record.js';
import type { PolicyOn } from './policy.js';

const UNFILLED: LegFailure = {
  reason: 'bridge',
  message: 'The bridge made no delivery on the destination chain in time.',
};
const FAILURES: Partial<Record<TransferStatus, LegFailure>> = {
  UNFILLED,
  REFUNDED: UNFILLED,
  LOST: {
    reason: 'bridge',
    message: 'The bridge released the money without a delivery on the destination chain.',
  },
};

/** Records the final outcome of a leg that bridges: its transfer is open. */
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
  // A delivery stays with its transfer, even after a reorg of the origin chain.
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
    transfer: {
      transfer,
      status: 'OPEN',
      filled: null,
      refunded: null,
      walletRefund: NO_WALLET_REFUND,
    },
    dueAt: now,
  });
  return withMoneyAcross(bridged, now);
}

/** Reopens a payment whose withdrawal was recorded before the leg's transfer. */
function withMoneyAcross(payment: PaymentRecord, now: Date): PaymentRecord {
  const isExecutorRevoked = payment.withdrawals.some(
    ({ mined, acceptBlame }) => mined && acceptBlame,
  );
  return applyTrigger(payment, isExecutorRevoked ? 'money_found_blamed' : 'money_found', now);
}

/** A bridge's answer, with the status that was known when the bridge was asked. */
export interface TransferAnswer {
  readonly id: string;
  readonly asked: TransferStatus;
  readonly seen: BridgeTransferStatus;
}

/**
 * Records a bridge's answer. Returns the same payment for an answer that is not new, concerns another transfer of the
 * leg, or is older than the recorded facts.
 */
export function transferSeen(
  payment: PaymentRecord,
  index: number,
  { id, asked, seen }: TransferAnswer,
  policyOn: PolicyOn,
  now: Date,
): PaymentRecord {
  const leg = legAt(payment, index);
  const { transfer: known } = leg;
  if (known?.transfer.id !== id || seen.kind === 'unknown') return payment;
  switch (seen.kind) {
    case 'filled': {
      const { kind: _, ...filled } = seen;
      if (isSameTransaction(known.filled, filled)) return payment;
      const delivered = changeTransfer(payment, index, known, { status: 'FILLED', filled });
      const chain = known.transfer.destinationChain;
      return withdrawnAgain(delivered, chain, filled.blockNumber, policyOn, now);
    }
    case 'refunded': {
      const { kind: _, ...refunded } = seen;
      if (isSameTransaction(known.refunded, refunded)) return payment;
      const back = failUndelivered(
        changeTransfer(payment, index, known, { status: 'REFUNDED', refunded }),
      );
      return isWalletRefund(payment, refunded)
        ? walletRefunded(back, index, refunded, policyOn, now)
        : refundMined(back, index, refunded, policyOn, now);
    }
    default: {
      // Only the scanner undoes a delivery; the answer to an earlier request does not.
      const isDelivered =
        known.status === 'FILLED' && (asked !== 'FILLED' || hasArrived(payment, leg));
      const status = STATUS[seen.kind];
      if (isDelivered || known.status === status) return payment;
      return failUndelivered(changeTransfer(payment, index, known, { status }));
    }
  }
}

const STATUS = { open: 'OPEN', unfilled: 'UNFILLED', lost: 'LOST' } as const;

const isSameTransaction = (
  known: { transactionHash: string } | null,
  found: { transactionHash: string },
) => known?.transactionHash === found.transactionHash;

const changeTransfer = (
  payment: PaymentRecord,
  index: number,
  { transfer, walletRefund }: LegTransfer,
  change: Pick<LegTransfer, 'status'> & Partial<LegTransfer>,
): PaymentRecord =>
  withLeg(payment, index, {
    transfer: { transfer, filled: null, refunded: null, walletRefund, ...change },
  });

/** Completes legs whose delivery has arrived, and reopens those whose delivery a reorg undid. */
export const settleBridged = (payment: PaymentRecord): PaymentRecord =>
  failUndelivered(withDeliveries(payment));

function withDeliveries(payment: PaymentRecord): PaymentRecord {
  const legs = payment.legs.map((leg): Leg => {
    if (leg.transfer === null) return leg;
    const isThere = hasArrived(payment, leg);
    if (leg.status === 'BRIDGING' && isThere) return { ...leg, status: 'COMPLETE', dueAt: null };
    const isUndone = leg.status === 'COMPLETE' && !isThere && !isUsed(payment, leg);
    return isUndone ? { ...leg, status: 'BRIDGING', dueAt: null } : leg;
  });
  return legs.every((leg, index) => leg === payment.legs[index]) ? payment : { ...payment, legs };
}

/** The next leg has taken the delivery, or has a transaction in flight that may take it. */
function isUsed({ legs }: PaymentRecord, { index }: Leg): boolean {
  const next = legs[index + 1];
  return next !== undefined && (next.status === 'EXECUTING' || next.settlement !== null);
}

/** Fails legs without delivery; the payment itself fails in derive, once no withdrawal is open. */
function failUndelivered(payment: PaymentRecord): PaymentRecord {
  return payment.legs.reduce((changed, { index }) => {
    const { status, transfer } = legAt(changed, index);
    const failure = transfer === null ? undefined : FAILURES[transfer.status];
    return status === 'BRIDGING' && failure ? failFrom(changed, index, failure) : changed;
  }, payment);
}
