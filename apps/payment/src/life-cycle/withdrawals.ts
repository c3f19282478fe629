import { nonceDiesAt } from '@bascule/contracts';
import type { WithdrawalState } from '@bascule/contracts';
import { applyTrigger } from './apply-trigger.js';
import { isAcross, isOrderRefunded, legOfOrder } from './open-transfers.js';
import type { LandedWithdrawal, PaymentRecord, Withdrawal } from './payment-record.js';
import type { PaymentPolicy } from './policy.js';
import { isDust } from './policy.js';
import { matchRefund } from './refund-match.js';
import { holdings } from './wallet-ledger.js';

type WithdrawalKey = Pick<Withdrawal, 'chain' | 'nonce'>;

const isSame = (one: WithdrawalKey, other: WithdrawalKey): boolean =>
  one.chain === other.chain && one.nonce === other.nonce;

/** Submitted, and neither the chain nor the service that submitted it has ended it. */
const isOpen = ({ submitted, status, landed }: Withdrawal): boolean =>
  submitted && landed === null && (status === 'PENDING' || status === 'SUCCESS');

const openOnes = (payment: PaymentRecord): Withdrawal[] =>
  payment.withdrawals.filter(
    (withdrawal) => isOpen(withdrawal) && !isOrderRefunded(payment, withdrawal),
  );
const hasOpen = (payment: PaymentRecord): boolean => openOnes(payment).length > 0;

export function withWithdrawal(payment: PaymentRecord, withdrawal: Withdrawal): PaymentRecord {
  const others = payment.withdrawals.filter((other) => !isSame(other, withdrawal));
  return { ...payment, withdrawals: [...others, withdrawal] };
}

/** What the withdrawal service says of a withdrawal; an older state than the known one changes nothing. */
export function withdrawalReported(
  payment: PaymentRecord,
  state: WithdrawalState,
  now: Date,
): PaymentRecord {
  const known = knownAs(payment, state);
  if (known !== undefined && known.version >= state.version) return payment;
  const reported = asReported(state, known);
  const updated = matchRefund(withWithdrawal(payment, reported), reported.orderId, reported);
  const looked = lookSoon(updated, state.order_id, now);
  return applyTrigger(looked, hasOpen(looked) ? 'withdrawal_submitted' : 'withdrawal_ended', now);
}

function asReported(state: WithdrawalState, known: Withdrawal | undefined): Withdrawal {
  const landed = landedAsReported(state, known);
  const isCorrected = known?.landed != null && landed === null;
  const knownHash = isCorrected ? null : (known?.transactionHash ?? null);
  return {
    chain: state.chain,
    nonce: known?.nonce ?? BigInt(state.nonce),
    withdrawId: state.withdraw_id,
    orderId: state.order_id ?? null,
    tokenAmounts: state.token_amounts,
    recipientAddress: state.recipient_address,
    acceptBlame: state.accept_blame,
    submitted: state.submitted || known?.submitted === true,
    status: landed ? 'SUCCESS' : state.status,
    transactionHash: state.transaction_hash ?? knownHash,
    failure: state.failure,
    version: state.version,
    landed,
  };
}

/** The wallet's log names its withdrawal; an order's refund does not, and its service knows better which one it was. */
function landedAsReported(
  { order_id, status }: WithdrawalState,
  known: Withdrawal | undefined,
): LandedWithdrawal | null {
  const isDenied = order_id !== undefined && (status === 'FAILED' || status === 'EXPIRED');
  return isDenied ? null : (known?.landed ?? null);
}

/** What the service says of a refund may be on the chain already. */
function lookSoon(payment: PaymentRecord, orderId: string | undefined, now: Date): PaymentRecord {
  const index = orderId === undefined ? undefined : legOfOrder(payment, orderId)?.index;
  if (index === undefined) return payment;
  const legs = payment.legs.map((leg) => (leg.index === index ? { ...leg, dueAt: now } : leg));
  return { ...payment, legs };
}

/** The nonce of a refund is on no chain, and that of one that the chain told of first may stand for it. */
function knownAs(payment: PaymentRecord, state: WithdrawalState): Withdrawal | undefined {
  const { chain, nonce, order_id, withdraw_id } = state;
  return payment.withdrawals.find(
    (other) =>
      isSame(other, { chain, nonce: BigInt(nonce) }) ||
      (order_id !== undefined && other.orderId === order_id && other.withdrawId === withdraw_id),
  );
}

/** The chain's `Withdrawn` log, whoever submitted it: what is left in the wallet decides. */
export function withdrawalLanded(
  payment: PaymentRecord,
  log: WithdrawalKey & { withdrawId: string; acceptBlame: boolean; landed: LandedWithdrawal },
  policy: PaymentPolicy,
  now: Date,
): PaymentRecord {
  const known = payment.withdrawals.find((other) => isSame(other, log));
  if (known?.landed?.transactionHash === log.landed.transactionHash) return payment;
  const recorded = withWithdrawal(payment, {
    orderId: null,
    tokenAmounts: [],
    recipientAddress: null,
    failure: null,
    version: 0,
    ...known,
    ...log,
    submitted: true,
    status: 'SUCCESS',
    transactionHash: log.landed.transactionHash,
  });
  const goesOn = !log.acceptBlame && mayStillArrive(payment, log);
  return afterLanding(recorded, { isBlamed: log.acceptBlame, goesOn }, policy, now);
}

/** What a withdrawal that landed makes of the payment: money that is still anywhere keeps it from being withdrawn. */
export function afterLanding(
  payment: PaymentRecord,
  { isBlamed, goesOn }: { isBlamed: boolean; goesOn: boolean },
  policy: PaymentPolicy,
  now: Date,
): PaymentRecord {
  const pending = applyTrigger(payment, 'withdrawal_submitted', now);
  const isEmpty =
    holdings(pending).every((holding) => isDust(holding, policy)) &&
    !pending.legs.some((leg) => isAcross(pending, leg));
  if (isEmpty && !goesOn) return applyTrigger(pending, 'withdrawal_landed_empty', now);
  const left = applyTrigger(
    pending,
    isBlamed ? 'withdrawal_landed_blamed' : 'withdrawal_landed_partly',
    now,
  );
  return hasOpen(left) ? applyTrigger(left, 'withdrawal_submitted', now) : left;
}

/** Seen since and not final yet: holdings do not tell of it, and the payment may live on it. */
const mayStillArrive = (
  { deposits }: PaymentRecord,
  { chain, landed }: { chain: string; landed: LandedWithdrawal },
): boolean =>
  deposits.some(
    (deposit) =>
      !deposit.confirmed && (deposit.chain !== chain || deposit.blockNumber > landed.blockNumber),
  );

/** When the chain's refusal of each open withdrawal begins; null when none is open or none ever dies. */
export function nextWithdrawalDeath(payment: PaymentRecord): Date | null {
  const deaths = openOnes(payment)
    .map(deathOf)
    .filter((time) => time <= LAST_TIME);
  return deaths.length === 0 ? null : new Date(Math.min(...deaths));
}

/**
 * Ends open withdrawals that can no longer land: a reorganisation may have undone one that its service has settled.
 * @param confirmedUpTo by chain, as for deadlines: what landed before it is known
 */
export function endDeadWithdrawals(
  payment: PaymentRecord,
  confirmedUpTo: ReadonlyMap<string, Date>,
  now: Date,
): PaymentRecord {
  const isDead = (withdrawal: Withdrawal): boolean =>
    isOpen(withdrawal) &&
    (confirmedUpTo.get(withdrawal.chain)?.getTime() ?? 0) > deathOf(withdrawal);
  if (!payment.withdrawals.some(isDead)) return payment;
  const ended = {
    ...payment,
    withdrawals: payment.withdrawals.map((withdrawal): Withdrawal =>
      isDead(withdrawal) ? { ...withdrawal, status: 'EXPIRED' } : withdrawal,
    ),
  };
  return hasOpen(ended) ? ended : applyTrigger(ended, 'withdrawal_ended', now);
}

/** The last one that a Date can hold. */
const LAST_TIME = 8.64e15;
const deathOf = ({ nonce }: Withdrawal): number => Number(nonceDiesAt(nonce)) * 1000;

/**
 * Undoes what a reorganisation undid: the log is gone, and the withdrawal is on its way again. One that only the
 * chain told of is nothing any more: nobody is known to send it.
 */
export function forgetLandings(
  payment: PaymentRecord,
  chain: string,
  fromBlock: bigint,
  now: Date,
): PaymentRecord {
  const withdrawals = payment.withdrawals.map((withdrawal): Withdrawal =>
    withdrawal.chain === chain && (withdrawal.landed?.blockNumber ?? -1n) >= fromBlock
      ? { ...withdrawal, landed: null, status: 'PENDING', submitted: withdrawal.version > 0 }
      : withdrawal,
  );
  const forgotten = { ...payment, withdrawals };
  return hasOpen(forgotten) ? applyTrigger(forgotten, 'withdrawal_submitted', now) : forgotten;
}
