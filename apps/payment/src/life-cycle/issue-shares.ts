import { maxAmount, minAmount } from '@bascule/amounts';
import type { ParkedFundIssue, StoredPaymentStatus, TokenIdentifier } from '@bascule/contracts';
import { depositsOfToken, isLate, requiredDeposit } from './funding.js';
import type { Leg, PaymentRecord, WalletHolding } from './payment-record.js';
import type { PaymentPolicy } from './policy.js';
import { reportedStatus } from './transitions.js';
import { taken } from './wallet-ledger.js';
import { refundedToWallet } from './wallet-refunds.js';

export type Classification = ParkedFundIssue['classification'];
type Share = [Classification, bigint];

/** Splits a holding by classification, without the part that a leg is going to use. */
export function sharesOf(
  payment: PaymentRecord,
  { token, amount: held }: WalletHolding,
  policy: PaymentPolicy,
  now: Date,
): Share[] {
  const refunded = minAmount(held, refundedToWallet(payment, token));
  const amount = held - refunded;
  const others =
    token === payment.plan.deposit.token
      ? depositShares(payment, amount, policy, now)
      : otherShares(payment, token, amount, policy, now);
  const shares: Share[] = [['STUCK', refunded], ...others];
  return shares.filter(([, share]) => share > 0n);
}

function otherShares(
  payment: PaymentRecord,
  token: TokenIdentifier,
  held: bigint,
  policy: PaymentPolicy,
  now: Date,
): Share[] {
  const next = payment.legs[payment.plan.legs.findIndex((leg) => leg.input_token === token)];
  return next === undefined ? [['MISSENT', held]] : bridgedShares(payment, next, held, policy, now);
}

export const isStalled = (payment: PaymentRecord, policy: PaymentPolicy, now: Date): boolean =>
  payment.fundedInFullAt !== null &&
  now.getTime() - payment.fundedInFullAt.getTime() > policy.stalledAfterMs;

/** Splits the deposit token's balance: the part meant for the first leg, and the rest. */
function depositShares(
  payment: PaymentRecord,
  held: bigint,
  policy: PaymentPolicy,
  now: Date,
): Share[] {
  // The first leg has taken what it needed.
  if (payment.legs[0]?.settlement !== null) return [['EXTRA', held]];
  if (payment.fundedInFullAt === null) return unusedShares(payment, held);
  const used = minAmount(held, meantForFirstLeg(payment));
  return [...usedShares(payment, used, policy, now), ['EXTRA', held - used]];
}

/** Classifies the part meant for the next leg; empty while the payment makes progress. */
function usedShares(
  payment: PaymentRecord,
  used: bigint,
  policy: PaymentPolicy,
  now: Date,
): Share[] {
  const status = reportedStatus(payment, false);
  if (status !== 'PENDING') return [[stuckAs(status, payment), used]];
  return isStalled(payment, policy, now) ? [['STALLED', used]] : [];
}

/** Splits the balance after a bridge: meant for the leg, delivered beyond that, and not delivered by the bridge. */
function bridgedShares(
  payment: PaymentRecord,
  next: Leg,
  held: bigint,
  policy: PaymentPolicy,
  now: Date,
): Share[] {
  const transfer = payment.legs[next.index - 1]?.transfer;
  if (!transfer) return [['MISSENT', held]];
  // It may be the delivery: that is known only once its block is final.
  if (transfer.status === 'OPEN') return [];
  const arrived = minAmount(held, (transfer.filled?.amount ?? 0n) - taken(next));
  const missent: Share = ['MISSENT', held - arrived];
  if (next.settlement !== null) return [['EXTRA', arrived], missent];
  const used = minAmount(arrived, BigInt(payment.plan.legs[next.index]?.max_input ?? '0'));
  return [...usedShares(payment, used, policy, now), ['EXTRA', arrived - used], missent];
}

/** Splits deposits that were not used: too late, or too little. */
function unusedShares(payment: PaymentRecord, held: bigint): Share[] {
  if (reportedStatus(payment, false) === 'WITHDRAWN') return [['EXTRA', held]];
  const late = depositsOfToken(payment)
    .filter((deposit) => isLate(payment, deposit))
    .reduce((sum, { amount }) => sum + amount, 0n);
  const delayed = minAmount(held, late);
  const inTime = held - delayed;
  return [
    [inTime >= requiredDeposit(payment) ? 'STUCK' : 'UNDERFUNDED', inTime],
    ['DELAYED', delayed],
  ];
}

/** Amount meant for the first leg: the larger of its bound and the required deposit. */
function meantForFirstLeg(payment: PaymentRecord): bigint {
  const first = payment.plan.legs[0];
  if (first === undefined) return 0n;
  return maxAmount(BigInt(first.max_input), requiredDeposit(payment));
}

function stuckAs(status: StoredPaymentStatus, payment: PaymentRecord): Classification {
  const hasSlipped = payment.legs.some(({ failure }) => failure?.reason === 'slippage');
  return status === 'FAILED' && hasSlipped ? 'SLIPPED' : 'STUCK';
}
