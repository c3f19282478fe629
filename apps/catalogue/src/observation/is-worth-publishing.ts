import { compareDecimals, type Decimal } from '@bascule/amounts';

export interface PublishedPrice {
  usd: Decimal;
  publishedAt: Date;
}

/**
 * Whether an observation becomes an event: a changed price, or one whose last event is so old that projections
 * would soon treat it as stale.
 */
export function isWorthPublishing(
  last: PublishedPrice | undefined,
  usd: Decimal,
  now: Date,
  republishAfterMs: number,
): boolean {
  if (!last || compareDecimals(last.usd, usd) !== 0) return true;
  return now.getTime() - last.publishedAt.getTime() >= republishAfterMs;
}
