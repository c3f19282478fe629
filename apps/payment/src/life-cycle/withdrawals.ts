import { nonceExpiresAt } from '@bascule/contracts';
import type { WithdrawalState } from '@bascule/contracts';
import { applyTrigger } from './transitions.js';
import { isAcross, isTransferRefunded, legOfTransfer } from './open-transfers.js';
import { legAt } from './legs.js';
import type {
  MinedWithdrawal,
  PaymentRecord,
  TransferRefund,
  Withdrawal,
} from './payment-record.js';
import type { PolicyOn } from './policy.js';
import { isDustOn } from './policy.js';
import { isSameAddress } from './addresses.js';
import { matchRefund } from './refunds.js';
import { holdings, withdrawalSince } from './wallet-ledger.js';

type WithdrawalKey = Pick<Withdrawal, 'chain' | 'nonce'>;

const isSame = (one: WithdrawalKey, other: WithdrawalKey): boolean =>
  one.chain === other.chain && one.nonce === other.nonce;

/** Submitted, and ended neither by the chain nor by the withdrawal service. */
const isOpen = ({ submitted, status, mined }: Withdrawal): boolean =>
  submitted && mined === null && (status === 'PENDING' || status === 'SUCCESS');

/** Submitted withdrawals whose outcome is awaited. */
export const openWithdrawals = (payment: PaymentRecord): Withdrawal[] =>
  payment.withdrawals.filter(
    (withdrawal) => isOpen(withdrawal) && !isTransferRefunded(payment, withdrawal),
  );
const hasOpen = (payment: PaymentRecord): boolean => openWithdrawals(payment).length > 0;

function withWithdrawal(payment: PaymentRecord, withdrawal: Withdrawal): PaymentRecord {
  const others = payment.withdrawals.filter((other) => !isSame(other, withdrawal));
  return { ...payment, withdrawals: [...others, withdrawal] };
}

/** State of the withdrawal service; `transferId` is set when it withdraws from a transfer. */
export type ReportedWithdrawal = Omit<WithdrawalState, 'order_id'> & { transferId: string | null };

/** Records a state of the withdrawal service; a state older than the known one changes nothing. */
export function withdrawalReported(
  payment: PaymentRecord,
  state: ReportedWithdrawal,
  now: Date,
): PaymentRecord {
  const key = { chain: state.chain, nonce: BigInt(state.nonce) };
  const known = payment.withdrawals.find((other) => isSame(other, key));
  if (known !== undefined && known.version >= state.version) return payment;
  const reported = asReported(state, known);
  const updated = matchRefund(withWithdrawal(payment, reported), reported.transferId, reported);
  const due = makeLegDue(updated, state.transferId, now);
  return applyTrigger(due, hasOpen(due) ? 'withdrawal_submitted' : 'withdrawal_ended', now);
}

function asReported(state: ReportedWithdrawal, known: Withdrawal | undefined): Withdrawal {
  const mined = minedAsReported(state, known);
  const isCorrected = known?.mined != null && mined === null;
  const knownHash = isCorrected ? null : (known?.transactionHash ?? null);
  return {
    chain: state.chain,
    nonce: BigInt(state.nonce),
    withdrawId: state.withdraw_id,
    transferId: state.transferId,
    tokenAmounts: state.token_amounts,
    recipientAddress: state.recipient_address,
    acceptBlame: state.accept_blame,
    submitted: state.submitted || known?.submitted === true,
    status: mined ? 'SUCCESS' : state.status,
    transactionHash: state.transaction_hash ?? knownHash,
    failure: state.failure,
    version: state.version,
    mined,
  };
}

/** Takes a refund away from a withdrawal that its service reports as failed: the refund's log names none. */
function minedAsReported(
  { transferId, status }: ReportedWithdrawal,
  known: Withdrawal | undefined,
): MinedWithdrawal | null {
  const isDenied = transferId !== null && (status === 'FAILED' || status === 'EXPIRED');
  return isDenied ? null : (known?.mined ?? null);
}

/** Makes the transfer's leg due: its refund may be on chain already. */
function makeLegDue(payment: PaymentRecord, transferId: string | null, now: Date): PaymentRecord {
  const index = legOfTransfer(payment, transferId)?.index;
  const legs = payment.legs.map((leg) => (leg.index === index ? { ...leg, dueAt: now } : leg));
  return { ...payment, legs };
}

/**
 * Records a `Withdrawn` log from any submitter; the wallet's remaining balance decides the status. Ignores one with the
 * payment's id as its own: the owner's proof at confirm, which moves nothing.
 */
export function withdrawalMined(
  payment: PaymentRecord,
  log: WithdrawalKey & { withdrawId: string; acceptBlame: boolean; mined: MinedWithdrawal },
  policyOn: PolicyOn,
  now: Date,
): PaymentRecord {
  if (log.withdrawId === payment.id && !log.acceptBlame) return payment;
  const known = payment.withdrawals.find((other) => isSame(other, log));
  if (known?.mined?.transactionHash === log.mined.transactionHash) return payment;
  const recorded = withWithdrawal(payment, {
    transferId: null,
    tokenAmounts: [],
    recipientAddress: null,
    failure: null,
    version: 0,
    ...known,
    ...log,
    submitted: true,
    status: 'SUCCESS',
    transactionHash: log.mined.transactionHash,
  });
  return afterWithdrawn(recorded, log, policyOn, now);
}

/**
 * Records the chain's refund of a transfer, from any submitter. The payment does not resume, even with funds left
 * elsewhere.
 */
export function refundMined(
  payment: PaymentRecord,
  index: number,
  refund: TransferRefund,
  policyOn: PolicyOn,
  now: Date,
): PaymentRecord {
  const { transfer } = legAt(payment, index);
  const goesOn = isSameAddress(refund.recipient, payment.walletAddress);
  const matched = matchRefund(payment, transfer?.transfer.id ?? null);
  return afterMined(matched, { endsExecution: true, goesOn }, policyOn, now);
}

/**
 * Records the chain's refund of a transfer to the wallet, by any submitter. It is no withdrawal; one of the transfer
 * that was submitted before can no longer happen.
 */
export function walletRefunded(
  payment: PaymentRecord,
  index: number,
  { blockNumber }: TransferRefund,
  policyOn: PolicyOn,
  now: Date,
): PaymentRecord {
  const { transfer, chain } = legAt(payment, index);
  const matched = matchRefund(payment, transfer?.transfer.id ?? null);
  const refunded = hasOpen(matched) ? matched : applyTrigger(matched, 'withdrawal_ended', now);
  return withdrawnAgain(refunded, chain, blockNumber, policyOn, now);
}

/**
 * Applies a withdrawal again that took what a bridge brought to the wallet in this block, but was recorded before the
 * bridge's answer: the money seemed to be in the bridge still.
 */
export function withdrawnAgain(
  payment: PaymentRecord,
  chain: string,
  block: bigint,
  policyOn: PolicyOn,
  now: Date,
): PaymentRecord {
  const withdrawal = withdrawalSince(payment, chain, block);
  return withdrawal ? afterWithdrawn(payment, withdrawal, policyOn, now) : payment;
}

/** Applies a mined withdrawal from the wallet. */
function afterWithdrawn(
  payment: PaymentRecord,
  log: { chain: string; acceptBlame: boolean; mined: MinedWithdrawal },
  policyOn: PolicyOn,
  now: Date,
): PaymentRecord {
  const goesOn = !log.acceptBlame && mayStillArrive(payment, log);
  return afterMined(payment, { endsExecution: log.acceptBlame, goesOn }, policyOn, now);
}

/** Applies a mined withdrawal; money left anywhere keeps the payment from `WITHDRAWN`. */
function afterMined(
  payment: PaymentRecord,
  { endsExecution, goesOn }: { endsExecution: boolean; goesOn: boolean },
  policyOn: PolicyOn,
  now: Date,
): PaymentRecord {
  const pending = applyTrigger(payment, 'withdrawal_submitted', now);
  const isEmpty =
    holdings(pending).every((holding) => isDustOn(holding, policyOn)) &&
    !pending.legs.some((leg) => isAcross(pending, leg));
  if (isEmpty && !goesOn) return applyTrigger(pending, 'withdrawal_mined_empty', now);
  const left = applyTrigger(
    pending,
    endsExecution ? 'withdrawal_mined_blamed' : 'withdrawal_mined_partly',
    now,
  );
  return hasOpen(left) ? applyTrigger(left, 'withdrawal_submitted', now) : left;
}

/** Deposits that are not final yet are missing from the holdings, and may let the payment resume. */
const mayStillArrive = (
  { deposits }: PaymentRecord,
  { chain, mined }: { chain: string; mined: MinedWithdrawal },
): boolean =>
  deposits.some(
    (deposit) =>
      !deposit.confirmed && (deposit.chain !== chain || deposit.blockNumber > mined.blockNumber),
  );

/** Expiry of the open withdrawal that expires first; null without one. */
export function nextWithdrawalExpiry(payment: PaymentRecord): Date | null {
  const expiries = openWithdrawals(payment)
    .map(expiryOf)
    .filter((time) => time <= LAST_TIME);
  return expiries.length === 0 ? null : new Date(Math.min(...expiries));
}

/**
 * Ends open withdrawals that the chain now refuses; a reorg may have undone one that its service has settled.
 * @param confirmedUpTo by chain, as for deadlines: everything mined before is recorded
 */
export function endExpiredWithdrawals(
  payment: PaymentRecord,
  confirmedUpTo: ReadonlyMap<string, Date>,
  now: Date,
): PaymentRecord {
  const isExpired = (withdrawal: Withdrawal): boolean =>
    isOpen(withdrawal) &&
    (confirmedUpTo.get(withdrawal.chain)?.getTime() ?? 0) > expiryOf(withdrawal);
  if (!payment.withdrawals.some(isExpired)) return payment;
  const ended = {
    ...payment,
    withdrawals: payment.withdrawals.map((withdrawal): Withdrawal =>
      isExpired(withdrawal) ? { ...withdrawal, status: 'EXPIRED' } : withdrawal,
    ),
  };
  return hasOpen(ended) ? ended : applyTrigger(ended, 'withdrawal_ended', now);
}

/** Last time that a Date can hold. */
const LAST_TIME = 8.64e15;
const expiryOf = ({ nonce }: Withdrawal): number => Number(nonceExpiresAt(nonce)) * 1000;

/**
 * Removes `Withdrawn` logs that a reorg undid: a reported withdrawal is open again. One found only on chain
 * stays closed, since no submitter would send it again.
 */
export function forgetMinedWithdrawals(
  payment: PaymentRecord,
  chain: string,
  fromBlock: bigint,
  now: Date,
): PaymentRecord {
  const withdrawals = payment.withdrawals.map((withdrawal): Withdrawal =>
    withdrawal.chain === chain && (withdrawal.mined?.blockNumber ?? -1n) >= fromBlock
      ? { ...withdrawal, mined: null, status: 'PENDING', submitted: withdrawal.version > 0 }
      : withdrawal,
  );
  const forgotten = { ...payment, withdrawals };
  return hasOpen(forgotten) ? applyTrigger(forgotten, 'withdrawal_submitted', now) : forgotten;
}
