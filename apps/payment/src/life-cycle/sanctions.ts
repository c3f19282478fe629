import { addDecimals, compareDecimals, valueOf, ZERO } from '@bascule/amounts';
import type { DecimalString } from '@bascule/contracts';
import type { Deposit, PaymentRecord } from './payment-record.js';
import type { PaymentPolicy } from './policy.js';
import { applyTrigger, transition } from './transitions.js';

/** Taints a payment whose owner or destination is sanctioned; the same object where it stays as it is. */
export const taint = (payment: PaymentRecord, now: Date): PaymentRecord =>
  transition(payment, 'sanctioned').status === payment.status
    ? payment
    : applyTrigger(payment, 'sanctioned', now);

/** Taints a payment whose confirmed deposits from sanctioned senders exceed the limit. */
export const taintBySenders = (
  payment: PaymentRecord,
  sanctioned: ReadonlySet<string>,
  policy: PaymentPolicy,
  now: Date,
): PaymentRecord =>
  exceedsTaintLimit(payment, sanctioned, policy) ? taint(payment, now) : payment;

/**
 * Whether confirmed deposits of these senders are worth more than the limit in sum. A deposit of the plan's tokens
 * without any price exceeds it; other tokens without a price count for nothing, since no leg uses them.
 * @param senders lower case
 */
export function exceedsTaintLimit(
  payment: PaymentRecord,
  senders: ReadonlySet<string>,
  { taintUsd }: PaymentPolicy,
): boolean {
  const deposits = payment.deposits.filter(
    ({ confirmed, sender }) => confirmed && sender !== null && senders.has(sender.toLowerCase()),
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
