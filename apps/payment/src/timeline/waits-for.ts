import { formatAmount, maxAmount } from '@bascule/amounts';
import { nonceExpiresAt, parseTokenIdentifier } from '@bascule/contracts';
import type { TimelineWait } from '@bascule/contracts';
import { depositedInTime, requiredDeposit, wasPaidInTime } from '../life-cycle/funding.js';
import { startableLeg } from '../life-cycle/legs.js';
import { isInBridge } from '../life-cycle/open-transfers.js';
import { decimalsOf, transactionOf } from '../life-cycle/payment-record.js';
import type { Leg, PaymentRecord } from '../life-cycle/payment-record.js';
import { isDustOn, mostValuableFirst } from '../life-cycle/policy.js';
import type { PolicyOn } from '../life-cycle/policy.js';
import { holdings } from '../life-cycle/wallet-ledger.js';
import { openWithdrawals } from '../life-cycle/withdrawals.js';
import { messageFact, transactionFact } from './entry.js';
import { taintFact } from './status-entries.js';

/** The event that a payment waits for; null when nothing is to come. */
export function waitsFor(
  payment: PaymentRecord,
  policyOn: PolicyOn,
  now: Date,
): TimelineWait | null {
  switch (payment.status) {
    case 'TAINTED':
      return { kind: 'OPERATOR', ...taintFact(payment) };
    case 'WITHDRAW_PENDING':
      return withdrawalWait(payment);
    case 'PENDING':
      return legWait(payment) ?? fundingWait(payment, now);
    default:
      return runningLegWait(payment) ?? ownerWait(payment, policyOn);
  }
}

function withdrawalWait(payment: PaymentRecord): TimelineWait | null {
  const [open] = openWithdrawals(payment);
  if (open === undefined) return null;
  const { chain, nonce, withdrawId: withdraw_id, transferId } = open;
  // A refund from the bridge has no nonce on chain.
  const until = transferId === null ? { until: timeOf(nonceExpiresAt(nonce)) } : {};
  return { kind: 'WITHDRAWAL', chain, withdraw_id, ...until };
}

const timeOf = (seconds: bigint | number): string =>
  new Date(Math.min(Number(seconds) * 1000, 8.64e15)).toISOString();

function legWait(payment: PaymentRecord): TimelineWait | null {
  const startable = startableLeg(payment);
  if (startable === undefined) return runningLegWait(payment);
  const { index, chain, failure } = startable;
  return {
    kind: 'EXECUTION',
    leg: index,
    chain,
    until: payment.declarationExpiresAt.toISOString(),
    ...(failure !== null && { reason: failure.reason, ...messageFact(failure.message) }),
  };
}

function runningLegWait({ legs }: PaymentRecord): TimelineWait | null {
  const running = legs.find(({ status }) => status === 'EXECUTING' || status === 'BRIDGING');
  return running === undefined ? null : transactionWait(running);
}

function transactionWait({ index: leg, chain, transactionHash, transfer }: Leg): TimelineWait {
  if (transfer === null) {
    return { kind: 'TRANSACTION', leg, chain, ...transactionFact(transactionHash) };
  }
  const { destinationChain, fillDeadline } = transfer.transfer;
  const filled = transfer.filled?.transactionHash ?? null;
  return filled === null
    ? { kind: 'BRIDGE', leg, chain: destinationChain, until: fillDeadline.toISOString() }
    : { kind: 'CONFIRMATIONS', leg, chain: destinationChain, ...transactionFact(filled) };
}

function fundingWait(payment: PaymentRecord, now: Date): TimelineWait {
  const { checkout, initiateFundBy, declarationExpiresAt } = payment;
  const unconfirmed = payment.deposits.find(
    ({ confirmed, sum }) => !confirmed && sum === undefined,
  );
  if (unconfirmed !== undefined) {
    const { chain, token } = unconfirmed;
    return { kind: 'CONFIRMATIONS', chain, token, ...transactionFact(transactionOf(unconfirmed)) };
  }
  if (checkout !== null && wasPaidInTime(payment)) {
    const until = declarationExpiresAt.toISOString();
    return { kind: 'DELIVERY', provider: checkout.provider, until };
  }
  const until = initiateFundBy.toISOString();
  if (now > initiateFundBy) return { kind: 'DEADLINE', chain: depositChain(payment), until };
  if (checkout !== null) return { kind: 'CHECKOUT', provider: checkout.provider, until };
  return { kind: 'DEPOSIT', ...missing(payment), until };
}

const depositChain = ({ plan }: PaymentRecord): string =>
  parseTokenIdentifier(plan.deposit.token).chain;

function missing(payment: PaymentRecord): Pick<TimelineWait, 'chain' | 'token' | 'amount'> {
  const { token } = payment.plan.deposit;
  const rest = maxAmount(requiredDeposit(payment) - depositedInTime(payment), 0n);
  const amount = formatAmount(rest, decimalsOf(payment, token));
  return { chain: depositChain(payment), token, amount };
}

/** Money that only the owner can move: left in a wallet, or refundable in the bridge. */
function ownerWait(payment: PaymentRecord, policyOn: PolicyOn): TimelineWait | null {
  const [held] = holdings(payment)
    .filter((holding) => !isDustOn(holding, policyOn))
    .sort(mostValuableFirst);
  if (held !== undefined) {
    const { token, amount, decimals } = held;
    const { chain } = parseTokenIdentifier(token);
    return { kind: 'OWNER', chain, token, amount: formatAmount(amount, decimals) };
  }
  const { transfer, chain, index: leg } = payment.legs.find(isInBridge) ?? {};
  if (transfer == null) return null;
  const { inputToken: token, amount } = transfer.transfer;
  return {
    kind: 'OWNER',
    leg,
    chain,
    token,
    amount: formatAmount(amount, decimalsOf(payment, token)),
  };
}
