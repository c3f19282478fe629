import type { PagePosition } from '@bascule/contracts';

/** Payments that one request looks at in the database. */
export const MAX_LISTED = 500;
const MAX_WALLETS = 100;
/** Balances that one request reads from one chain. */
const MAX_BALANCES = 5_000;

/** Number of wallets that one request reads, for the chain with the most tokens; at least one. */
export function walletsPerPage(tokenCounts: readonly number[]): number {
  const perWallet = Math.max(1, ...tokenCounts);
  return Math.min(MAX_WALLETS, Math.max(1, Math.floor(MAX_BALANCES / perWallet)));
}

export interface ListedPayment extends PagePosition {
  /** The wallet is known to be empty, or was on an earlier page. */
  isSkipped: boolean;
}

/**
 * Selects the payments whose wallets are read, and the position of the next page; null on the last one.
 * @param listed at most `limit` payments, newest first
 */
export function pageOfWallets(
  listed: readonly ListedPayment[],
  { size, limit }: { size: number; limit: number },
): { read: string[]; next: PagePosition | null } {
  const unread = listed.filter(({ isSkipped }) => !isSkipped);
  const read = unread.slice(0, size).map(({ paymentId }) => paymentId);
  const last = unread.length > size ? unread[size - 1] : listed.at(-1);
  const isLast = unread.length <= size && listed.length < limit;
  return { read, next: isLast || last === undefined ? null : last };
}
