import type { LoggedDelivery } from './logged-delivery.js';

/** A delivery with this many attempts gets no further schedule, so its attempts are bounded. */
export const MAX_RESENDABLE_ATTEMPTS = 100;

/** Whether a delivery has ended and used up its attempts. */
export const isUsedUp = ({
  status,
  attempts,
}: Pick<LoggedDelivery, 'status' | 'attempts'>): boolean =>
  status !== 'PENDING' && attempts >= MAX_RESENDABLE_ATTEMPTS;
