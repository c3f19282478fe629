export interface RateLimitState {
  /** Counted by API key or by client address. */
  policy: 'key' | 'client';
  limit: number;
  windowSeconds: number;
  /** Requests of this window, this one included. */
  used: number;
  msUntilReset: number;
}

export const isExceeded = ({ limit, used }: RateLimitState): boolean => used > limit;

const secondsUntilReset = ({ msUntilReset }: RateLimitState): number =>
  Math.max(1, Math.ceil(msUntilReset / 1_000));

/** Headers of draft-ietf-httpapi-ratelimit-headers, and `Retry-After`. */
export function rateLimitHeaders(state: RateLimitState): Record<string, string> {
  const remaining = Math.max(0, state.limit - state.used);
  const seconds = String(secondsUntilReset(state));
  return {
    'ratelimit-policy': `"${state.policy}";q=${state.limit};w=${state.windowSeconds}`,
    ratelimit: `"${state.policy}";r=${remaining};t=${seconds}`,
    ...(isExceeded(state) && { 'retry-after': seconds }),
  };
}

/** Share of one replica while the replicas cannot count together. */
export const shareOf = (limit: number, replicas: number): number =>
  Math.max(1, Math.floor(limit / Math.max(1, replicas)));
