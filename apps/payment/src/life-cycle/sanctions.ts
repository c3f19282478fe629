import { addDecimals, compareDecimals, valueOf, ZERO } from '@bascule/amounts';
import type { Decimal } from '@bascule/amounts';
import type { DecimalString, SendersState, TokenIdentifier } from '@bascule/contracts';
import type { Deposit, DepositSum, PaymentRecord, TaintCause } from './payment-record.js';
import type { PaymentPolicy } from './policy.js';
import { isFromUnknown } from './payment-record.js';
import { applyTrigger, reportedStatus, transition } from './transitions.js';

/**
 * Taints a payment because of a sanctioned address; the same object where it stays as it is. The first cause is kept, also
 * while a withdrawal from outside is pending.
 */
export const taint = (payment: PaymentRecord, cause: TaintCause, now: Date): PaymentRecord =>
  reportedStatus(payment, false) === 'TAINTED' ||
  transition(payment, 'sanctioned').status === payment.status
    ? payment
    : { ...applyTrigger(payment, 'sanctioned', now), taintedBy: cause };

/** Whether a sender is sanctioned, by its address in lower case; missing until it is screened. */
export type SenderVerdicts = ReadonlyMap<string, boolean>;

/** Records what verdicts mean for withdrawals, and taints where confirmed deposits of sanctioned senders exceed the limit. */
export function applyVerdicts(
  payment: PaymentRecord,
  verdicts: SenderVerdicts,
  policy: PaymentPolicy,
  now: Date,
): PaymentRecord {
  const senders = sendersState(payment, verdicts, policy);
  const frozenTokens = frozenTokensOf(payment, verdicts);
  const isKnown =
    senders === payment.senders && frozenTokens.join() === payment.frozenTokens.join();
  const recorded = isKnown ? payment : { ...payment, senders, frozenTokens };
  return senders === 'TAINTED' ? taint(recorded, 'sender', now) : recorded;
}

/**
 * An unconfirmed deposit of a sanctioned sender is waited for: it becomes final, or a reorg removes it. A deposit without a
 * value is waited for until its sender has a verdict.
 */
function sendersState(
  payment: PaymentRecord,
  verdicts: SenderVerdicts,
  policy: PaymentPolicy,
): SendersState {
  const verdictOf = (deposit: ScreenedDeposit) => verdictAbout(deposit, verdicts);
  const exceeds = (isCounted: (deposit: ScreenedDeposit) => boolean) =>
    exceedsLimit(payment, policy, isCounted);
  if (exceeds((deposit) => deposit.confirmed && verdictOf(deposit) === true)) return 'TAINTED';
  const isOpen = depositsWithoutValue(payment).some((deposit) => verdictOf(deposit) === undefined);
  return isOpen || exceeds((deposit) => verdictOf(deposit) !== false) ? 'WAITING' : 'CLEAR';
}

/** Stands for senders that cannot be known; no verdict is about it. */
export const UNKNOWN_SENDER = '';

/** A deposit with its sender in lower case, or a sum of deposits with a verdict about all their senders. */
type ScreenedDeposit = Deposit & ({ sender: string } | { sum: DepositSum });

function screenedDeposits(payment: PaymentRecord): ScreenedDeposit[] {
  return payment.deposits.flatMap((deposit): ScreenedDeposit[] => {
    if (deposit.sum !== undefined) return [{ ...deposit, sum: deposit.sum }];
    if (isFromUnknown(deposit)) return [{ ...deposit, sender: UNKNOWN_SENDER }];
    return deposit.sender === null ? [] : [{ ...deposit, sender: deposit.sender.toLowerCase() }];
  });
}

const verdictAbout = (
  { sender, sum }: ScreenedDeposit,
  verdicts: SenderVerdicts,
): boolean | undefined =>
  sum === undefined ? verdicts.get(sender ?? '') : (sum.isSanctioned ?? undefined);

/** Tokens of unconfirmed deposits, too, until a reorg removes these. */
function frozenTokensOf(payment: PaymentRecord, verdicts: SenderVerdicts): TokenIdentifier[] {
  const sanctioned = depositsWithoutValue(payment).filter(
    (deposit) => verdictAbout(deposit, verdicts) === true,
  );
  return [...new Set(sanctioned.map(({ token }) => token))].sort();
}

/** Deposits of tokens outside the plan without a price. */
const depositsWithoutValue = (payment: PaymentRecord): ScreenedDeposit[] =>
  screenedDeposits(payment).filter((deposit) => isWithoutValue(payment, deposit));

/**
 * Whether confirmed deposits of these senders, and those of a sum without a verdict, are worth more than the limit.
 * @param senders lower case
 */
export const exceedsTaintLimit = (
  payment: PaymentRecord,
  senders: ReadonlySet<string>,
  policy: PaymentPolicy,
): boolean =>
  exceedsLimit(
    payment,
    policy,
    ({ confirmed, sender, sum }) =>
      confirmed && (sum === undefined ? senders.has(sender ?? '') : sum.isSanctioned === null),
  );

/**
 * A deposit of the plan's tokens without any price exceeds the limit; other tokens without a price count for nothing,
 * since no leg uses them, and are frozen by themselves.
 */
function exceedsLimit(
  payment: PaymentRecord,
  { taintUsd, acceptsUnknownSenders }: PaymentPolicy,
  isCounted: (deposit: ScreenedDeposit) => boolean,
): boolean {
  let sum = ZERO;
  for (const deposit of screenedDeposits(payment).filter(isCounted)) {
    if (acceptsUnknownSenders && deposit.sender === UNKNOWN_SENDER) continue;
    const value = valueOfDeposit(payment, deposit);
    if (value === null) return true;
    sum = addDecimals(sum, value);
  }
  return compareDecimals(sum, taintUsd) > 0;
}

/** Senders of confirmed deposits, those of the most valuable first; without a price those of the plan's tokens come first. */
export function sendersByValue(payment: PaymentRecord): string[] {
  const values = new Map<string, Decimal | null>();
  for (const deposit of payment.deposits) {
    if (!deposit.confirmed || deposit.sender === null) continue;
    const sender = deposit.sender.toLowerCase();
    const [sum, value] = [values.get(sender), valueOfDeposit(payment, deposit)];
    const isUnpriced = sum === null || value === null;
    values.set(sender, isUnpriced ? null : addDecimals(sum ?? ZERO, value));
  }
  return [...values].sort(([, one], [, other]) => compareValues(other, one)).map(([it]) => it);
}

/** Null for a token of the plan without a price, which is worth more than any value. */
function valueOfDeposit(payment: PaymentRecord, deposit: Deposit): Decimal | null {
  const price = usdPriceOf(payment, deposit);
  if (price !== null) return valueOf(deposit.amount, deposit.decimals, price);
  return isWithoutValue(payment, deposit) ? ZERO : null;
}

const isWithoutValue = (payment: PaymentRecord, deposit: Deposit): boolean =>
  payment.decimals[deposit.token] === undefined && usdPriceOf(payment, deposit) === null;

function compareValues(one: Decimal | null, other: Decimal | null): number {
  if (one !== null && other !== null) return compareDecimals(one, other);
  return Number(one === null) - Number(other === null);
}

/** Price when the deposit was seen, else that of a quote in dollars. */
const usdPriceOf = (payment: PaymentRecord, deposit: Deposit): DecimalString | null =>
  deposit.usdPrice ??
  (payment.priceCurrency === 'usd' ? (payment.currentPrices[deposit.token] ?? null) : null);
