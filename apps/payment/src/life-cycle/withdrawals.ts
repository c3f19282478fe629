import type { WithdrawalState } from '@bascule/contracts';
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
  if (isEmpty) return applyTrigger(pending, 'withdrawal_landed_empty', now);
  const left = applyTrigger(
    pending,
    log.acceptBlame ? 'withdrawal_landed_blamed' : 'withdrawal_landed_partly',
    now,
  );
  return hasOpen(left) ? applyTrigger(left, 'withdrawal_submitted', now) : left;
}

/** Undoes what a reorganisation undid: the log is gone, and the withdrawal is on its way again. */
export function forgetLandings(
  payment: PaymentRecord,
  chain: string,
  fromBlock: bigint,
  now: Date,
): PaymentRecord {
  const withdrawals = payment.withdrawals.map((withdrawal): Withdrawal =>
    withdrawal.chain === chain && (withdrawal.landed?.blockNumber ?? -1n) >= fromBlock
      ? { ...withdrawal, landed: null, status: 'PENDING' }
      : withdrawal,
  );
  const forgotten = { ...payment, withdrawals };
  return hasOpen(forgotten) ? applyTrigger(forgotten, 'withdrawal_submitted', now) : forgotten;
}
