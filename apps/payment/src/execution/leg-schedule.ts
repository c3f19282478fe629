import type { TransactionCost } from '@bascule/transactions';
import type { Leg, LegFailure, PaymentRecord } from '../life-cycle/payment-record.js';
import type { ExecutionPatience } from '../life-cycle/policy.js';
import { isBeingWithdrawn, isWalletRefundDue } from '../life-cycle/wallet-refunds.js';

export type Verdict =
  { next: 'retry'; failure: LegFailure; at: Date } | { next: 'give_up'; failure: LegFailure };

/** Downtime counts for nothing: this many attempts must have failed. */
const MIN_TRIES = 5;

/** Longest delay after dropped transactions, where a single one is not longer. */
const LONGEST_DELAY_MS = 4 * 60_000;

/** Milliseconds until a leg is tried again whose last transaction was dropped: twice as long after each transaction. */
export const afterDrops = (transactions: number, retryMs: number): number =>
  Math.max(retryMs, Math.min(retryMs * 2 ** (transactions - 1), LONGEST_DELAY_MS));

/** Decides between a retry and giving up after a failed attempt. */
export function afterFailure(
  leg: Leg,
  { reason, message, refutedVenues = [] }: LegFailure,
  patience: ExecutionPatience,
  now: Date,
): Verdict {
  const since = leg.failure?.since ?? now.toISOString();
  const tries = (leg.failure?.tries ?? 0) + 1;
  const refuted = [...new Set([...(leg.failure?.refutedVenues ?? []), ...refutedVenues])];
  const failure: LegFailure = {
    ...{ reason, message, since, tries },
    ...(refuted.length > 0 && { refutedVenues: refuted }),
  };
  const isOver =
    (tries >= MIN_TRIES && now.getTime() - Date.parse(since) >= patience.patienceMs) ||
    leg.attempts >= patience.maxTransactions;
  return isOver
    ? { next: 'give_up', failure }
    : { next: 'retry', failure, at: new Date(now.getTime() + patience.retryMs) };
}

/**
 * Counts the transactions of a leg against the bound of its attempts. A dropped one is no attempt: of these, only the gas
 * of their cancellations counts, in whole attempts of at most `maxCost` wei. Without that bound all count.
 */
export function countedAttempts(
  transactions: readonly TransactionCost[],
  maxCost: bigint | undefined,
): number {
  if (maxCost === undefined || maxCost === 0n) return transactions.length;
  const dropped = transactions.filter(({ status }) => status === 'dropped');
  const wei = dropped.reduce((sum, { gasCost }) => sum + gasCost, 0n);
  return transactions.length - dropped.length + Number((wei + maxCost - 1n) / maxCost);
}

/** An unclaimed refund is polled more rarely as it ages; polling is how a refund from outside is noticed. */
const UNCLAIMED_POLL_MS = { min: 30_000, max: 60_000 };
const SHARE_OF_AGE = 10;

/** Milliseconds until the next poll of a leg's transfer. */
export function nextTransferPoll(
  payment: PaymentRecord,
  legIndex: number,
  { pollMs, maxRefunds }: { pollMs: number; maxRefunds: number },
  now: Date,
): number {
  const leg = payment.legs[legIndex];
  const known = leg?.transfer;
  if (leg === undefined || known?.status !== 'UNFILLED') return pollMs;
  if (isBeingWithdrawn(payment, known.transfer.id) || known.walletRefund.isPending) return pollMs;
  // The service's own refund waits for the attesters, which answer soon after the deadline.
  const least = isWalletRefundDue(payment, leg, maxRefunds) ? pollMs : UNCLAIMED_POLL_MS.min;
  const age = now.getTime() - known.transfer.fillDeadline.getTime();
  const unclaimed = Math.min(Math.max(age / SHARE_OF_AGE, least), UNCLAIMED_POLL_MS.max);
  return Math.max(Math.round(unclaimed), pollMs);
}
