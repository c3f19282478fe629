import type { WithdrawalState } from '@bascule/contracts';
import { nonceDiesAt } from '@bascule/solidity';
import { applyTrigger } from './apply-trigger.js';
import type { LandedWithdrawal, PaymentRecord, Withdrawal } from './payment-record.js';
import type { PaymentPolicy } from './policy.js';
import { isDust } from './policy.js';
import { holdings } from './wallet-ledger.js';

type WithdrawalKey = Pick<Withdrawal, 'chain' | 'nonce'>;

const isSame = (one: WithdrawalKey, other: WithdrawalKey): boolean =>
  one.chain === other.chain && one.nonce === other.nonce;

/** Submitted, and neither the chain nor the service that submitted it has ended it. */
const isOpen = ({ submitted, status, landed }: Withdrawal): boolean =>
  submitted && landed === null && (status === 'PENDING' || status === 'SUCCESS');

const hasOpen = (payment: PaymentRecord): boolean => payment.withdrawals.some(isOpen);

function withWithdrawal(payment: PaymentRecord, withdrawal: Withdrawal): PaymentRecord {
  const others = payment.withdrawals.filter((other) => !isSame(other, withdrawal));
  return { ...payment, withdrawals: [...others, withdrawal] };
}

/** What the withdrawal service says of a withdrawal; an older state than the known one changes nothing. */
export function withdrawalReported(
  payment: PaymentRecord,
  state: WithdrawalState,
  now: Date,
): PaymentRecord {
  const key = { chain: state.chain, nonce: BigInt(state.nonce) };
  const known = payment.withdrawals.find((other) => isSame(other, key));
  if (known !== undefined && known.version >= state.version) return payment;
  const updated = withWithdrawal(payment, {
    ...key,
    withdrawId: state.withdraw_id,
    tokenAmounts: state.token_amounts,
    recipientAddress: state.recipient_address,
    acceptBlame: state.accept_blame,
    submitted: state.submitted || known?.submitted === true,
    status: known?.landed ? 'SUCCESS' : state.status,
    transactionHash: state.transaction_hash ?? known?.transactionHash ?? null,
    failure: state.failure,
    version: state.version,
    landed: known?.landed ?? null,
  });
  return applyTrigger(updated, hasOpen(updated) ? 'withdrawal_submitted' : 'withdrawal_ended', now);
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
  const pending = applyTrigger(recorded, 'withdrawal_submitted', now);
  const isEmpty = holdings(pending).every((holding) => isDust(holding, policy));
  const goesOn = !log.acceptBlame && mayStillArrive(pending, log);
  if (isEmpty && !goesOn) return applyTrigger(pending, 'withdrawal_landed_empty', now);
  const left = applyTrigger(
    pending,
    log.acceptBlame ? 'withdrawal_landed_blamed' : 'withdrawal_landed_partly',
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
  const deaths = payment.withdrawals
    .filter(isOpen)
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
