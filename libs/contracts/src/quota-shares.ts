/** Parts of a quota that callers with a publishable key, which everyone knows, may use up. */
export interface QuotaShares {
  /** Share of all publishable keys together; the rest is reserved for secret keys. */
  publishable: number;
  /** Share of one visitor. */
  visitor: number;
}

const SHARE = 10;
const SMALLEST_VISITOR_SHARE = 5;

/**
 * Reserves a tenth for secret keys. A visitor gets a tenth, or 5 of a small quota, but at most half of what all visitors
 * have. A quota below 3 cannot be divided.
 */
export function sharesOf(quota: number): QuotaShares {
  const publishable = Math.min(quota, Math.max(1, quota - Math.ceil(quota / SHARE)));
  return {
    publishable,
    visitor: Math.min(
      Math.ceil(publishable / 2),
      Math.max(SMALLEST_VISITOR_SHARE, Math.floor(quota / SHARE)),
    ),
  };
}
