import { isExistingTime } from './existing-time.js';
import type { Payment } from './payments.js';
import type { Timestamp } from './wire.js';

/** Values of `category`. `NEW_OR_FUNDED`: all but the payments that expired unfunded. */
export const HISTORY_CATEGORIES = ['ALL', 'NEW_OR_FUNDED'] as const;
/** Payments to list; `NEW_OR_FUNDED` leaves out those that expired unfunded. */
export type HistoryCategory = (typeof HISTORY_CATEGORIES)[number];

/** Page of payments, newest first. */
export interface PaymentHistory {
  /** Payments, at most `limit`; a page may hold fewer. */
  payment_statuses: Payment[];
  /** `pagination_key` of the next page: `<payment_id>_<created_at>`; null on the last page. */
  next_pagination_key: string | null;
}

/** The payment that the next page follows. */
export interface PagePosition {
  paymentId: string;
  createdAt: Timestamp;
}

const PAGINATION_KEY =
  /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})_(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)$/i;

/** `<payment_id>_<created_at>`. */
export const formatPaginationKey = ({ paymentId, createdAt }: PagePosition): string =>
  `${paymentId}_${createdAt}`;

/** Inverse of {@link formatPaginationKey}; null for any other text. */
export function parsePaginationKey(key: string): PagePosition | null {
  const [, paymentId, createdAt] = PAGINATION_KEY.exec(key) ?? [];
  if (paymentId === undefined || createdAt === undefined) return null;
  const time = createdAt.toUpperCase();
  return isExistingTime(time) ? { paymentId: paymentId.toLowerCase(), createdAt: time } : null;
}
