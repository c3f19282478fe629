import { compareDecimals } from '@bascule/amounts';
import { depositsOfToken, requiredDeposit } from './funding.js';
import type { Deposit, PaymentRecord } from './payment-record.js';
import { reportedStatus } from './transitions.js';
import { worth, worthOfFiat } from './worth.js';

interface DepositOrigins {
  /** Delivery of the onramp's order. */
  readonly bought: readonly Deposit[];
  /** Tokens that anyone sent by hand. */
  readonly sent: readonly Deposit[];
}

/**
 * Splits the deposits of the deposit token by origin. Where tokens sent by hand funded the payment in full in earlier
 * blocks than the delivery, nothing counts as bought, whenever the checkout is paid.
 */
export function depositOrigins(payment: PaymentRecord): DepositOrigins {
  const deposits = depositsOfToken(payment);
  const bought = deliveredDeposits(payment, deposits);
  const sent = deposits.filter((deposit) => !bought.includes(deposit));
  return isFundedBefore(payment, sent, bought) ? { bought: [], sent: deposits } : { bought, sent };
}

/** True when an onramp's payment was funded by hand, or ended unpaid with no more than tokens sent by hand. */
export function isHandFed(payment: PaymentRecord): boolean {
  const { plan, fundedInFullAt, checkout } = payment;
  if (plan.funding.kind !== 'onramp') return false;
  const { bought, sent } = depositOrigins(payment);
  if (bought.length > 0 || sent.length === 0) return false;
  const isAwaitingDelivery =
    checkout?.paidAt != null || reportedStatus(payment, false) === 'PENDING';
  return fundedInFullAt !== null || !isAwaitingDelivery;
}

/**
 * Deposits of the transaction that the provider names. Until it names one, the first deposit that can be its delivery:
 * of a payment that was funded after the checkout was paid, as large as required, and worth no more than the fiat.
 */
function deliveredDeposits(payment: PaymentRecord, deposits: readonly Deposit[]): Deposit[] {
  const { plan, checkout, fundedInFullAt } = payment;
  if (plan.funding.kind !== 'onramp' || checkout === null) return [];
  const hash = checkout.transactionHash?.toLowerCase();
  if (hash !== undefined) {
    return deposits.filter(
      ({ transactionHash, sum }) => sum === undefined && transactionHash.toLowerCase() === hash,
    );
  }
  const { paidAt } = checkout;
  if (paidAt === null || fundedInFullAt === null || paidAt > fundedInFullAt) return [];
  const delivery = deposits.find(
    ({ token, amount, sum }) =>
      sum === undefined &&
      amount >= requiredDeposit(payment) &&
      compareDecimals(worth(payment, token, amount), worthOfFiat(payment)) <= 0,
  );
  return delivery === undefined ? [] : [delivery];
}

function isFundedBefore(
  payment: PaymentRecord,
  sent: readonly Deposit[],
  [delivery]: readonly Deposit[],
): boolean {
  if (delivery === undefined) return false;
  const earlier = sent
    .filter(({ blockNumber }) => blockNumber < delivery.blockNumber)
    .reduce((sum, { amount }) => sum + amount, 0n);
  return earlier >= requiredDeposit(payment);
}
