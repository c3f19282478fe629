import { addDecimals, compareDecimals, valueOf, ZERO } from '@bascule/amounts';
import type { DecimalString, SendersState } from '@bascule/contracts';
import type { Deposit, PaymentRecord, TaintCause } from './payment-record.js';
import type { PaymentPolicy } from './policy.js';
import { applyTrigger, transition } from './transitions.js';

/** Taints a payment because of a sanctioned address; the same object where it stays as it is. */
export const taint = (payment: PaymentRecord, cause: TaintCause, now: Date): PaymentRecord =>
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
  const recorded = senders === payment.senders ? payment : { ...payment, senders };
  return senders === 'TAINTED' ? taint(recorded, 'sender', now) : recorded;
}

/** An unconfirmed deposit of a sanctioned sender is waited for: it becomes final, or a reorg removes it. */
function sendersState(
  payment: PaymentRecord,
  verdicts: SenderVerdicts,
  policy: PaymentPolicy,
): SendersState {
  const exceeds = (isCounted: (deposit: Deposit, verdict: boolean | undefined) => boolean) =>
    exceedsLimit(payment, policy, (deposit, sender) => isCounted(deposit, verdicts.get(sender)));
  if (exceeds(({ confirmed }, verdict) => confirmed && verdict === true)) return 'TAINTED';
  return exceeds((_, verdict) => verdict !== false) ? 'WAITING' : 'CLEAR';
}

/**
 * Whether confirmed deposits of these senders are worth more than the limit in sum.
 * @param senders lower case
 */
export const exceedsTaintLimit = (
  payment: PaymentRecord,
  senders: ReadonlySet<string>,
  policy: PaymentPolicy,
): boolean =>
  exceedsLimit(payment, policy, ({ confirmed }, sender) => confirmed && senders.has(sender));

/**
 * A deposit of the plan's tokens without any price exceeds the limit; other tokens without a price count for nothing,
 * since no leg uses them.
 */
function exceedsLimit(
  payment: PaymentRecord,
  { taintUsd }: PaymentPolicy,
  isCounted: (deposit: Deposit, sender: string) => boolean,
): boolean {
  const deposits = payment.deposits.filter(
    (deposit) => deposit.sender !== null && isCounted(deposit, deposit.sender.toLowerCase()),
  );
  let sum = ZERO;
  for (const deposit of deposits) {
    const price = usdPriceOf(payment, deposit);
    if (price !== null) sum = addDecimals(sum, valueOf(deposit.amount, deposit.decimals, price));
    else if (payment.decimals[deposit.token] !== undefined) return true;
  }
  return compareDecimals(sum, taintUsd) > 0;
}

/** Price when the deposit was seen, else that of a quote in dollars. */
const usdPriceOf = (payment: PaymentRecord, deposit: Deposit): DecimalString | null =>
  deposit.usdPrice ??
  (payment.priceCurrency === 'usd' ? (payment.currentPrices[deposit.token] ?? null) : null);
