import type { TimelineDeadline, TimelineFacts } from '@bascule/contracts';
import { isDeclarationExpired } from '../life-cycle/deadlines.js';
import type { Checkout, PaymentRecord } from '../life-cycle/payment-record.js';
import { transactionFact } from './entry.js';
import type { NewEntry } from './entry.js';

/** Entries of the order at the onramp provider. */
export function checkoutEntries(before: PaymentRecord, after: PaymentRecord): NewEntry[] {
  const { checkout } = after;
  if (checkout === null || before.checkout === checkout) return [];
  const about = { provider: checkout.provider, method: checkout.method };
  const isOpened = checkout.url !== (before.checkout?.url ?? null);
  return [
    ...(before.checkout === null ? [{ type: 'checkout.requested', facts: about } as const] : []),
    ...(isOpened ? [{ type: 'checkout.opened', facts: about } as const] : []),
    ...(before.checkout !== null && isReportNew(before.checkout, checkout)
      ? [{ type: 'checkout.reported', facts: { ...about, ...report(checkout) } } as const]
      : []),
  ];
}

const isReportNew = (before: Checkout, after: Checkout): boolean =>
  before.status !== after.status ||
  before.paidAt?.getTime() !== after.paidAt?.getTime() ||
  before.transactionHash !== after.transactionHash ||
  (before.failure === null) !== (after.failure === null);

const report = ({ status, paidAt, transactionHash, failure }: Checkout): TimelineFacts => ({
  provider_status: status,
  ...(paidAt !== null && { paid_at: paidAt.toISOString() }),
  ...transactionFact(transactionHash),
  // The provider's words may be about the customer.
  ...(failure !== null && { reason: 'provider_failed' }),
});

export function fundingEntries(before: PaymentRecord, after: PaymentRecord): NewEntry[] {
  const isFull = after.fundedInFullAt !== null;
  const wasFull = before.fundedInFullAt !== null;
  if (isFull && !wasFull) return [{ type: 'payment.funded', facts: {} }];
  if (wasFull && !isFull) return [{ type: 'payment.unfunded', facts: {} }];
  if (after.funded === before.funded) return [];
  return [{ type: after.funded ? 'payment.funded_in_part' : 'payment.unfunded', facts: {} }];
}

/** Role of the sanctioned address, and nothing about it. */
export const taintFact = ({ taintedBy }: PaymentRecord): Pick<TimelineFacts, 'reason'> =>
  taintedBy === null ? {} : { reason: taintedBy };

/** A change of status, after the deadline that caused it. */
export function statusEntries(before: PaymentRecord, after: PaymentRecord): NewEntry[] {
  if (before.status === after.status) return [];
  const deadline = passedDeadline(before, after);
  const status = {
    ...{ status: after.status, previous_status: before.status },
    ...(after.status === 'TAINTED' && taintFact(after)),
  };
  return [
    ...(deadline === null
      ? []
      : [
          { type: 'deadline.passed', facts: { deadline, until: timeOf(after, deadline) } } as const,
        ]),
    { type: 'payment.status_changed', facts: status },
  ];
}

/** A pending payment becomes `EXPIRED` at its funding deadline only. */
function passedDeadline(before: PaymentRecord, after: PaymentRecord): TimelineDeadline | null {
  if (before.status !== 'PENDING') return null;
  if (after.status === 'EXPIRED') return 'initiate_fund_by';
  return after.status === 'FAILED' && after.legs.some(isDeclarationExpired)
    ? 'declaration_expires_at'
    : null;
}

const timeOf = (payment: PaymentRecord, deadline: TimelineDeadline): string =>
  (deadline === 'initiate_fund_by'
    ? payment.initiateFundBy
    : payment.declarationExpiresAt
  ).toISOString();
