import { formatPaginationKey, parsePaginationKey } from '@bascule/contracts';

/** Payments that hold money by their facts come first, then the others. */
export type FundsGroup = 'HOLDING' | 'OTHER';

/** Last payment of a page of an owner's payments. */
export interface PageKey {
  paymentId: string;
  /** Group in which it was listed: the payment may have changed since. */
  group: FundsGroup;
  /** Start of the list, in whole seconds: later changes may move a payment to the other group. */
  startedAt: Date;
}

/** Milliseconds of the key's timestamp, whose seconds are the start. */
const MS_OF_OTHER = 1;

export const formatPageKey = ({ paymentId, group, startedAt }: PageKey): string =>
  formatPaginationKey({
    paymentId,
    createdAt: new Date(startedAt.getTime() + (group === 'OTHER' ? MS_OF_OTHER : 0)).toISOString(),
  });

/** Inverse of {@link formatPageKey}; null for another text. */
export function parsePageKey(key: string): PageKey | null {
  const position = parsePaginationKey(key);
  if (position === null) return null;
  const startedAt = new Date(position.createdAt);
  const group = startedAt.getUTCMilliseconds() === MS_OF_OTHER ? 'OTHER' : 'HOLDING';
  startedAt.setUTCMilliseconds(0);
  return { paymentId: position.paymentId, group, startedAt };
}
