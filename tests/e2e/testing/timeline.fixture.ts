import type { PaymentTimeline, TimelineEntryType } from '@bascule/contracts';
import type { Api } from '../../../tools/first-payment/api.js';

/** Types of the entries of a payment that was funded at once and paid out. */
export const SWAPPED: readonly TimelineEntryType[] = [
  'payment.confirmed',
  'deposit.seen',
  'deposit.confirmed',
  'payment.funded',
  'leg.submitted',
  'leg.broadcast',
  'leg.executed',
  'payment.status_changed',
];

export const timelineOf = (api: Api, paymentId: string): Promise<PaymentTimeline> =>
  api.get<PaymentTimeline>('/payments/timeline', { payment_id: paymentId });

/**
 * Entries of a slow machine (a node that timed out, a transaction that waited for its block), and those that a service
 * reports while the chain may show more already.
 */
const UNSTEADY: readonly TimelineEntryType[] = [
  'leg.waiting',
  'leg.replaced',
  'withdrawal.broadcast',
];

export const typesOf = ({ entries }: Pick<PaymentTimeline, 'entries'>): TimelineEntryType[] =>
  entries.map(({ type }) => type).filter((type) => !UNSTEADY.includes(type));

/** Without `WITHDRAW_PENDING`: the chain may show a withdrawal before its service has reported it. */
export const eventsOf = ({ entries }: PaymentTimeline): TimelineEntryType[] =>
  typesOf({
    entries: entries.filter(
      ({ type, status }) => type !== 'payment.status_changed' || status !== 'WITHDRAW_PENDING',
    ),
  });
