import type { PaymentTimeline, TimelineEntryType } from '@bascule/contracts';
import type { Api } from '../../../tools/first-payment/api.js';

/** Types of the entries of a payment that was funded at once and paid out. */
export const SWAPPED: readonly TimelineEntryType[] = [
  'payment.confirmed',
  'deposit.seen',
  'deposit.confirmed',
  'payment.funded',
  'leg.submitted',
  'leg.executed',
  'payment.status_changed',
];

export const timelineOf = (api: Api, paymentId: string): Promise<PaymentTimeline> =>
  api.get<PaymentTimeline>('/payments/timeline', { payment_id: paymentId });

export const typesOf = ({ entries }: PaymentTimeline): TimelineEntryType[] =>
  entries.map(({ type }) => type);

/** Without `WITHDRAW_PENDING`: the chain may show a withdrawal before its service has reported it. */
export const eventsOf = ({ entries }: PaymentTimeline): TimelineEntryType[] =>
  entries
    .filter(
      ({ type, status }) => type !== 'payment.status_changed' || status !== 'WITHDRAW_PENDING',
    )
    .map(({ type }) => type);
