import { minAmount } from '@bascule/amounts';
import type { Deposit, PaymentRecord } from './payment-record.js';
import { heldOf } from './wallet-ledger.js';
import { isRefundedDeposit } from './wallet-refunds.js';

export const requiredDeposit = (payment: PaymentRecord): bigint =>
  BigInt(payment.plan.deposit.required_amount);

/** An onramp whose customer paid in time may deliver until the declaration expires. */
export const wasPaidInTime = ({ checkout, initiateFundBy }: PaymentRecord): boolean =>
  checkout?.paidAt != null && checkout.paidAt <= initiateFundBy;

/** Last block time of deposits that count towards the payment. */
const fundingDeadline = (payment: PaymentRecord): Date =>
  wasPaidInTime(payment) ? payment.declarationExpiresAt : payment.initiateFundBy;

export const isLate = (payment: PaymentRecord, deposit: Deposit): boolean =>
  deposit.blockTimestamp > fundingDeadline(payment);

const isOfDepositToken = (payment: PaymentRecord, deposit: Deposit): boolean =>
  deposit.confirmed && deposit.token === payment.plan.deposit.token;

/** Confirmed deposits of the deposit token; refunds of the payment's own transfers are none. */
export const depositsOfToken = (payment: PaymentRecord): Deposit[] =>
  payment.deposits.filter(
    (deposit) => isOfDepositToken(payment, deposit) && !isRefundedDeposit(payment, deposit),
  );

/** Confirmed deposits in time, at most what the wallet still holds. */
export function depositedInTime(payment: PaymentRecord): bigint {
  const arrived = depositsOfToken(payment)
    .filter((deposit) => !isLate(payment, deposit))
    .reduce((sum, { amount }) => sum + amount, 0n);
  return minAmount(arrived, heldOf(payment, payment.plan.deposit.token));
}

/** Once a leg runs or has settled, the remaining deposits no longer decide funding. */
const hasStarted = (payment: PaymentRecord): boolean =>
  payment.legs.some(({ status, settlement }) => status === 'EXECUTING' || settlement !== null);

const isOpen = ({ status, statusBeforeWithdrawal }: PaymentRecord): boolean =>
  (statusBeforeWithdrawal ?? status) === 'PENDING';

/**
 * Sets `funded` and `fundedInFullAt` from the deposits; a reorg or a withdrawal clears them, except while a leg has
 * started: until its outcome is known, nobody must be told to pay again.
 */
export function refreshFunding(payment: PaymentRecord, now: Date): PaymentRecord {
  const hasDeposit = payment.deposits.some(({ confirmed }) => confirmed);
  const funded = hasDeposit || (payment.funded && hasStarted(payment));
  if (!isOpen(payment) || hasStarted(payment)) return { ...payment, funded };
  const isFull = depositedInTime(payment) >= requiredDeposit(payment);
  return { ...payment, funded, fundedInFullAt: isFull ? (payment.fundedInFullAt ?? now) : null };
}

/** Adds a deposit that is not recorded yet. */
export const recordDeposit = (payment: PaymentRecord, deposit: Deposit): PaymentRecord => ({
  ...payment,
  deposits: [...payment.deposits, deposit],
});

/** Marks the chain's deposits up to a height as final. */
export function confirmDeposits(
  payment: PaymentRecord,
  chain: string,
  upToBlock: bigint,
): PaymentRecord {
  const deposits = payment.deposits.map((deposit) =>
    deposit.chain === chain && deposit.blockNumber <= upToBlock && !deposit.confirmed
      ? { ...deposit, confirmed: true }
      : deposit,
  );
  return { ...payment, deposits };
}

/** Removes the chain's deposits from a height on, after a reorg. */
export function forgetDeposits(
  payment: PaymentRecord,
  chain: string,
  fromBlock: bigint,
): PaymentRecord {
  const deposits = payment.deposits.filter(
    (deposit) => deposit.chain !== chain || deposit.blockNumber < fromBlock,
  );
  return { ...payment, deposits };
}
