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
  isKnownEmpty: boolean;
}

/**
 * Selects the payments whose wallets are read, and the position of the next page; null on the last one.
 * @param listed at most {@link MAX_LISTED} payments, newest first
 */
export function pageOfWallets(
  listed: readonly ListedPayment[],
  size: number,
): { read: string[]; next: PagePosition | null } {
  const open = listed.filter(({ isKnownEmpty }) => !isKnownEmpty);
  const read = open.slice(0, size).map(({ paymentId }) => paymentId);
  const last = open.length > size ? open[size - 1] : listed.at(-1);
  const isLast = open.length <= size && listed.length < MAX_LISTED;
  return { read, next: isLast || last === undefined ? null : last };
}
